//! One visit of an app with one tool: from the navigation to the closed dialog.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::apps::{Control, LivingApp};
use super::cpu;
use super::results::Measure;
use crate::peers::running::{RunningPeer, TimedAnswer, beginning};
use crate::peers::tools::{Peer, ToolCall};
use crate::product::{LATE_CHANGES, count_tokens};

/// How long a tool may look again and again until an answer shows what was waited for.
const LIMIT: Duration = Duration::from_secs(30);
/// How long the page lives between two looks, and while its blocks are measured without a look.
const LIFE: Duration = Duration::from_secs(1);
/// How long the heartbeat runs before it counts.
const WARM_UP: Duration = Duration::from_millis(300);

/// Parts of pagesight's answers that no page of these sizes may get.
const COMPLAINTS: [&str; 2] = ["the page was too large", "the page is busy"];

/// Starts a heartbeat in the page: messages to itself, and the longest time between two.
const START_HEARTBEAT: &str = "() => { const beat = globalThis.labHeartbeat = { longest: 0, stopped: false }; const channel = new MessageChannel(); let last = performance.now(); channel.port1.onmessage = () => { const now = performance.now(); beat.longest = Math.max(beat.longest, now - last); last = now; if (!beat.stopped) channel.port2.postMessage(0); }; channel.port2.postMessage(0); return 'started'; }";
/// Reports the longest time since the last report.
const READ_HEARTBEAT: &str = "() => { const beat = globalThis.labHeartbeat; const { longest } = beat; beat.longest = 0; return `gap ${longest.toFixed(2)} ms`; }";
const STOP_HEARTBEAT: &str = "() => { globalThis.labHeartbeat.stopped = true; return 'stopped'; }";

/// The result of a step, or why it failed.
pub struct Step {
    pub measure: Measure,
    pub outcome: anyhow::Result<Taken>,
}

/// A time, and the tokens of all answers that it took.
#[derive(Default)]
pub struct Taken {
    pub time: Duration,
    pub tokens: usize,
    /// A line of pagesight's answers that complains about the page, which is a failure.
    pub complaint: Option<String>,
}

/// The condition that an answer must meet.
#[derive(Clone, Copy)]
enum Goal<'a> {
    Shows(&'a str),
    /// The text of a dialog that was open.
    Gone(&'a str),
    Anything,
}

impl Goal<'_> {
    /// Returns whether an answer shows it. `is_look` says that the answer shows the whole page;
    /// other answers of pagesight show only changes, so what they do not have is still there.
    fn is_shown(self, peer: Peer, answer: &str, is_look: bool) -> bool {
        match self {
            Goal::Shows(text) => answer.contains(text),
            Goal::Gone(text) if peer.is_own() && !is_look => {
                let removed = |line: &str| line.starts_with("- ") && line.contains(text);
                answer.lines().any(removed)
            }
            Goal::Gone(text) => {
                !answer.lines().any(|line| line.contains(text) && !line.starts_with(LATE_CHANGES))
            }
            Goal::Anything => true,
        }
    }
}

struct Visit<'a> {
    running: &'a RunningPeer,
    look: ToolCall,
    /// The answers so far.
    answers: Vec<String>,
    steps: Vec<Step>,
}

/// Visits the app, and leaves it. The steps after one that failed are missing; then the answer
/// says that the visit is not complete.
pub async fn visit(running: &RunningPeer, app: &LivingApp, url: &str) -> (Vec<Step>, Completion) {
    let Some(look) = running.peer.look() else { return (Vec::new(), Completion::Cut) };
    let mut visit = Visit { running, look, answers: Vec::new(), steps: Vec::new() };
    let completion = match visit.steps(app, url).await {
        Some(()) => Completion::Whole,
        None => Completion::Cut,
    };
    // An app that lives on would take time from the other tools.
    for call in running.peer.leave() {
        let _ = running.run(&[call]).await;
    }
    (visit.steps, completion)
}

/// Whether all steps of a visit were done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    Whole,
    Cut,
}

impl Visit<'_> {
    /// Does all steps; ends at the first that fails.
    async fn steps(&mut self, app: &LivingApp, url: &str) -> Option<()> {
        let peer = self.running.peer;
        self.until(Measure::Navigate, peer.visit(url), Goal::Shows(app.shows)).await?;
        self.look(Measure::FirstLook).await?;
        tokio::time::sleep(LIFE).await;
        self.look(Measure::SecondLook).await?;
        if let Some((name, effect)) = app.click {
            self.act(Measure::Click, Control::Named(name), Goal::Shows(effect)).await?;
        }
        let dialog = &app.dialog;
        self.act(Measure::Open, dialog.opener, Goal::Shows(dialog.shows)).await?;
        self.act(Measure::Close, dialog.closer, Goal::Gone(dialog.shows)).await?;
        let blocks = self.blocks().await;
        match blocks {
            Ok((alone, during)) => {
                self.add(Measure::Alone, Ok(alone));
                self.add(Measure::Block, Ok(during));
            }
            Err(error) => self.add(Measure::Block, Err(error)),
        }
        Some(())
    }

    fn add(&mut self, measure: Measure, outcome: anyhow::Result<Duration>) {
        let outcome = outcome.map(|time| Taken { time, ..Taken::default() });
        self.steps.push(Step { measure, outcome });
    }

    /// Looks once, with the time that the server's process computes.
    async fn look(&mut self, measure: Measure) -> Option<()> {
        let before = cpu::time(self.running.pid());
        self.until(measure, vec![self.look.clone()], Goal::Anything).await?;
        self.add(Measure::Cpu, Ok(cpu::time(self.running.pid()).saturating_sub(before)));
        Some(())
    }

    /// Clicks the control with a name, which an answer has shown, or presses a key.
    async fn act(&mut self, measure: Measure, control: Control, goal: Goal<'_>) -> Option<()> {
        let peer = self.running.peer;
        let name = match control {
            Control::Key(key) => return self.until(measure, peer.press(key), goal).await,
            Control::Named(name) => name,
        };
        let answers = self.answers.iter().rev();
        let Some(control) = answers.into_iter().find_map(|answer| peer.control(answer, name))
        else {
            let last = self.answers.last().map(|answer| beginning(answer)).unwrap_or_default();
            self.add(measure, Err(anyhow::anyhow!("no control {name:?} in {last}")));
            return None;
        };
        self.until(measure, peer.click(&control), goal).await
    }

    /// Runs calls, and looks again until the goal is shown.
    async fn until(
        &mut self,
        measure: Measure,
        calls: Vec<ToolCall>,
        goal: Goal<'_>,
    ) -> Option<()> {
        let outcome = self.reach(calls, goal).await;
        let reached = outcome.is_ok().then_some(());
        self.steps.push(Step { measure, outcome });
        reached
    }

    async fn reach(&mut self, calls: Vec<ToolCall>, goal: Goal<'_>) -> anyhow::Result<Taken> {
        let peer = self.running.peer;
        let begun = Instant::now();
        let mut taken = Taken::default();
        let mut answer = self.run(&calls, &mut taken).await?;
        taken.time = answer.took;
        // The other tools have shown the whole page after a click, too.
        let mut is_look = !peer.is_own();
        while !goal.is_shown(peer, &answer.text, is_look) {
            anyhow::ensure!(
                begun.elapsed() < LIMIT,
                "the answers do not show it: {}",
                beginning(&answer.text)
            );
            answer = self.run(std::slice::from_ref(&self.look), &mut taken).await?;
            is_look = true;
            taken.time = begun.elapsed();
        }
        self.answers.push(answer.text);
        Ok(taken)
    }

    /// Runs calls; adds the tokens of the answer, and what it complains about.
    async fn run(&self, calls: &[ToolCall], taken: &mut Taken) -> anyhow::Result<TimedAnswer> {
        let answer = self.running.run(calls).await?;
        taken.tokens += count_tokens(&answer.text);
        let complains = |line: &&str| COMPLAINTS.iter().any(|part| line.contains(part));
        if self.running.peer.is_own() && taken.complaint.is_none() {
            taken.complaint = answer.text.lines().find(complains).map(str::to_owned);
        }
        Ok(answer)
    }

    /// Returns the longest block of the main thread without and during a look. The heartbeat needs
    /// a core, so it does not run during the other steps.
    async fn blocks(&self) -> anyhow::Result<(Duration, Duration)> {
        self.evaluate(START_HEARTBEAT).await?;
        tokio::time::sleep(WARM_UP).await;
        self.gap().await?;
        tokio::time::sleep(LIFE).await;
        let alone = self.gap().await?;
        self.running.run(std::slice::from_ref(&self.look)).await?;
        let during = self.gap().await?;
        self.evaluate(STOP_HEARTBEAT).await?;
        Ok((alone, during))
    }

    async fn gap(&self) -> anyhow::Result<Duration> {
        let answer = self.evaluate(READ_HEARTBEAT).await?;
        let after = answer.split("gap ").nth(1).and_then(|rest| rest.split(' ').next());
        let number = after.and_then(|number| number.parse::<f64>().ok());
        let gap = number.with_context(|| format!("no heartbeat: {}", beginning(&answer)))?;
        Ok(Duration::from_secs_f64(gap / 1000.0))
    }

    async fn evaluate(&self, function: &str) -> anyhow::Result<String> {
        let call = self.running.peer.evaluate(function).context("it runs no functions")?;
        Ok(self.running.run(&[call]).await?.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::Engine;

    #[test]
    fn only_a_removal_or_a_look_shows_that_a_dialog_is_gone() {
        let own = Peer::Pagesight(Engine::Chromium);
        let gone = Goal::Gone("Home settings");
        let diff = "clicked [9] button: Done\nchanges:\n- [8] dialog: Home settings\n";
        assert!(gone.is_shown(own, diff, false));
        assert!(!gone.is_shown(own, "clicked [9] button: Done — no visible change", false));
        let look = "since the last answer: - [8] dialog: Home settings\nHome  http://a/\n";
        assert!(gone.is_shown(own, look, true));
        let open = "- dialog \"Home settings\" [ref=e4]";
        assert!(!gone.is_shown(Peer::Playwright, open, true));
    }
}
