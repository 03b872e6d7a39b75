//! The problems of a tab: console errors, failed requests and denied permissions. Answers report
//! them in one short line.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use pagesight_core::log::LogId;
use pagesight_core::text::address::host_of;
use pagesight_core::text::{escape, tokens};
use pagesight_core::web_origin::WebOrigin;

/// How many problems of each kind are kept.
const KEPT: usize = 50;
/// How many characters of each are kept.
const LENGTH: usize = 200;
/// How many reported problems are remembered, so that they are not reported again.
const REMEMBERED: usize = 500;
/// The longest line, in tokens.
const LINE_TOKENS: usize = 40;
/// How many problems of a kind are named, and how many characters of each; tried in this order.
const ROOMS: [(usize, usize); 6] = [(2, 120), (2, 60), (1, 80), (1, 40), (1, 20), (0, 0)];

/// The beginnings of Firefox's console messages about requests.
const ABOUT_REQUESTS: [&str; 2] = ["Cross-Origin Request Blocked", "Loading failed for"];

/// Problems of one kind: the latest ones, and how many there were in all.
#[derive(Default)]
pub(crate) struct ProblemList {
    total: u64,
    recent: VecDeque<Problem>,
}

struct Problem {
    text: String,
    /// The host that failed, if the problem is about a request.
    host: Option<String>,
    /// The entry of the log.
    entry: Option<LogId>,
    /// How many documents the tab had shown before.
    arrivals: u64,
}

impl Problem {
    /// Identifies problems that are the same but for numbers.
    fn shape(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.text.split(|c: char| c.is_ascii_digit()).for_each(|piece| {
            if !piece.is_empty() {
                piece.hash(&mut hasher);
            }
        });
        hasher.finish()
    }
}

impl ProblemList {
    fn add(&mut self, text: &str, host: Option<&str>, entry: Option<LogId>, arrivals: u64) {
        let text = text.lines().next().unwrap_or_default().chars().take(LENGTH).collect();
        self.total += 1;
        self.recent.push_back(Problem { text, host: host.map(str::to_owned), entry, arrivals });
        if self.recent.len() > KEPT {
            self.recent.pop_front();
        }
    }

    /// Returns the problems after the first `known`, as far as they are kept.
    fn since(&self, known: u64) -> impl ExactSizeIterator<Item = &Problem> {
        let new = usize::try_from(self.total.saturating_sub(known)).unwrap_or(usize::MAX);
        self.recent.iter().skip(self.recent.len().saturating_sub(new))
    }

    /// Returns the texts of the latest problems.
    pub(crate) fn latest(&self, count: usize) -> Vec<String> {
        let skip = self.recent.len().saturating_sub(count);
        self.recent.iter().skip(skip).map(|problem| problem.text.clone()).collect()
    }
}

/// How many problems there were at some time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProblemCounts {
    console_errors: u64,
    failed_requests: u64,
    denied: u64,
}

/// All problems of a tab, and which of them were reported.
#[derive(Default)]
pub(crate) struct Problems {
    pub(crate) console_errors: ProblemList,
    /// Failed requests: `GET /api/orders 500`.
    pub(crate) failed_requests: ProblemList,
    /// Permissions that the page asked for and that were denied.
    denied: ProblemList,
    /// How many documents the tab has shown.
    arrivals: u64,
    answered: ProblemCounts,
    remembered: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Problems {
    /// Records that the tab shows a new document.
    pub(crate) fn arrives(&mut self) {
        self.arrivals += 1;
    }

    /// Records a console error.
    pub(crate) fn console_error(&mut self, text: &str, entry: Option<LogId>) {
        let about_request = ABOUT_REQUESTS.iter().any(|start| text.starts_with(start));
        let delimits =
            |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '“' | '”' | '(' | ')');
        let host = text.split(delimits).find_map(host_of).filter(|_| about_request);
        self.console_errors.add(text, host, entry, self.arrivals);
    }

    /// Records a failed request.
    pub(crate) fn failed_request(&mut self, text: &str, host: Option<&str>, entry: Option<LogId>) {
        self.failed_requests.add(text, host, entry, self.arrivals);
    }

    /// Records a denied permission.
    pub(crate) fn denied(&mut self, name: &str) {
        self.denied.add(name, None, None, self.arrivals);
    }

    /// Returns how many there are.
    pub(crate) fn counts(&self) -> ProblemCounts {
        ProblemCounts {
            console_errors: self.console_errors.total,
            failed_requests: self.failed_requests.total,
            denied: self.denied.total,
        }
    }

    /// Returns the problems since then in one line. Failures of other sites than the page's are
    /// only counted.
    pub(crate) fn line(&self, since: ProblemCounts, page: &str) -> Option<String> {
        self.sorted(since, page, &HashSet::new()).line()
    }

    /// Returns the problems since the last answer in one line, for an answer. Problems that an
    /// earlier answer reported are only counted.
    pub(crate) fn next_line(&mut self, page: &str) -> Option<String> {
        let since = self.answered;
        let line = self.sorted(since, page, &self.remembered).line();
        let shapes: Vec<u64> = self
            .lists(since)
            .into_iter()
            .flat_map(|(_, list, known)| list.since(known).map(Problem::shape))
            .collect();
        for shape in shapes {
            if self.remembered.insert(shape) {
                self.order.push_back(shape);
            }
            if self.order.len() > REMEMBERED
                && let Some(oldest) = self.order.pop_front()
            {
                self.remembered.remove(&oldest);
            }
        }
        self.answered = self.counts();
        line
    }

    fn lists(&self, since: ProblemCounts) -> [(&'static str, &ProblemList, u64); 3] {
        [
            ("console error", &self.console_errors, since.console_errors),
            ("failed request", &self.failed_requests, since.failed_requests),
            ("denied permission", &self.denied, since.denied),
        ]
    }

    /// Sorts the problems since then into new ones, those of other sites, and reported ones.
    fn sorted(&self, since: ProblemCounts, page: &str, reported: &HashSet<u64>) -> Sorted<'_> {
        let mut sorted = Sorted::default();
        let page = WebOrigin::of_address(page);
        let is_other_site = |host: &str| page.as_ref().is_some_and(|page| page.is_other_site(host));
        for (kind, list, known) in self.lists(since) {
            let kept = list.since(known);
            let mut count = list.total.saturating_sub(known);
            let (mut seen, mut texts) = (HashSet::new(), Vec::new());
            for problem in kept {
                let shape = problem.shape();
                let elsewhere = problem.host.as_deref().is_some_and(is_other_site);
                // Failures of other sites concern only the document that needed them.
                if elsewhere && problem.arrivals != self.arrivals {
                    count -= 1;
                    continue;
                }
                if reported.contains(&shape) {
                    sorted.reported += 1;
                } else if elsewhere {
                    sorted.elsewhere += 1;
                } else {
                    if seen.insert(shape) {
                        texts.push((problem.entry, problem.text.as_str()));
                    }
                    continue;
                }
                count -= 1;
            }
            if count > 0 {
                sorted.new.push((kind, count, texts));
            }
        }
        sorted
    }
}

/// The entry of the log and the text of a problem.
type NamedProblem<'p> = (Option<LogId>, &'p str);

#[derive(Default)]
struct Sorted<'p> {
    /// Kind, how many, and different texts.
    new: Vec<(&'static str, u64, Vec<NamedProblem<'p>>)>,
    elsewhere: u64,
    reported: u64,
}

impl Sorted<'_> {
    /// Returns the line, as long as it may be.
    fn line(&self) -> Option<String> {
        if self.new.is_empty() && self.elsewhere == 0 && self.reported == 0 {
            return None;
        }
        let drafts = ROOMS.iter().map(|(named, length)| self.draft(*named, *length));
        let mut last = String::new();
        for draft in drafts {
            if tokens::count(&draft) <= LINE_TOKENS {
                return Some(draft);
            }
            last = draft;
        }
        Some(last)
    }

    fn draft(&self, named: usize, length: usize) -> String {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let mut parts: Vec<String> = Vec::new();
        for (kind, count, texts) in &self.new {
            let name = |(entry, text): &NamedProblem<'_>| match entry {
                Some(entry) => format!("[{entry}] {}", escape::safe(text, length)),
                None => escape::safe(text, length),
            };
            let named: Vec<String> = texts.iter().take(named).map(name).collect();
            let colon = if named.is_empty() { "" } else { ": " };
            parts.push(format!("{count} {kind}{}{colon}{}", plural(*count), named.join("; ")));
        }
        if self.elsewhere > 0 {
            let count = self.elsewhere;
            parts.push(format!("{count} failure{} of other sites", plural(count)));
        }
        if self.reported > 0 {
            let count = self.reported;
            parts.push(match parts.is_empty() {
                true => format!("no new problems ({count} known)"),
                false => format!("{count} known problem{}", plural(count)),
            });
        }
        parts.join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "http://localhost:3000/orders";

    #[test]
    fn problems_are_bounded_and_counted() {
        let mut problems = Problems::default();
        for n in 0..70 {
            problems.console_error(&format!("error {n}\nstack"), None);
        }
        assert_eq!(problems.console_errors.latest(2), ["error 68", "error 69"]);
        assert_eq!(problems.console_errors.since(0).len(), KEPT);
        let line = problems.line(ProblemCounts::default(), PAGE).unwrap();
        assert_eq!(line, "70 console errors: error 20");
    }

    #[test]
    fn an_answer_reports_only_what_is_new() {
        let mut problems = Problems::default();
        assert_eq!(problems.next_line(PAGE), None);
        let fail = |problems: &mut Problems| {
            for path in ["a", "b", "c"] {
                problems.failed_request(&format!("GET /{path} 404"), Some("localhost"), None);
            }
        };
        fail(&mut problems);
        let line = problems.next_line(PAGE).unwrap();
        assert_eq!(line, "3 failed requests: GET /a 404; GET /b 404");
        assert_eq!(problems.next_line(PAGE), None);
        fail(&mut problems);
        assert_eq!(problems.next_line(PAGE).unwrap(), "no new problems (3 known)");
        fail(&mut problems);
        problems.console_error("Oops", None);
        let line = problems.next_line(PAGE).unwrap();
        assert_eq!(line, "1 console error: Oops · 3 known problems");
        // Without regard to answers, everything is new.
        let all = problems.line(ProblemCounts::default(), PAGE).unwrap();
        assert!(all.starts_with("1 console error: Oops · 9 failed requests: "), "{all}");
    }

    #[test]
    fn failures_of_other_sites_are_only_counted() {
        let mut problems = Problems::default();
        problems.failed_request("GET /ad.js net::ERR_FAILED", Some("ads.example"), None);
        problems.failed_request("GET /api 500", Some("api.localhost"), None);
        problems.console_error("Cross-Origin Request Blocked: … at https://ads.example/x.", None);
        problems.console_error("see https://ads.example/", None);
        let line = problems.next_line(PAGE).unwrap();
        assert_eq!(
            line,
            "1 console error: see https://ads.example/ · 1 failed request: GET /api 500 · 2 failures of other sites"
        );
    }

    #[test]
    fn failures_of_other_sites_before_the_navigation_are_not_counted() {
        let mut problems = Problems::default();
        let fail = |problems: &mut Problems, path: &str, host: &str| {
            problems.failed_request(&format!("GET /{path} 404"), Some(host), None);
        };
        fail(&mut problems, "ad.js", "ads.example");
        fail(&mut problems, "api", "localhost");
        problems.arrives();
        fail(&mut problems, "font", "fonts.example");
        let line = problems.next_line(PAGE).unwrap();
        assert_eq!(line, "1 failed request: GET /api 404 · 1 failure of other sites");
        assert_eq!(problems.next_line(PAGE), None);
        // A page without such failures does not report those of the page before.
        fail(&mut problems, "pixel", "ads.example");
        problems.arrives();
        assert_eq!(problems.next_line(PAGE), None);
    }

    #[test]
    fn a_line_has_at_most_forty_tokens() {
        let mut problems = Problems::default();
        for n in 0..9 {
            let long = format!("TypeError: {} is undefined", "config.".repeat(n + 9));
            problems.console_error(&long, None);
            problems.failed_request(&format!("GET /{} 500", "deep/".repeat(n + 20)), None, None);
            problems.denied("camera and microphone and everything else that there may be");
        }
        let line = problems.next_line(PAGE).unwrap();
        assert!(tokens::count(&line) <= LINE_TOKENS, "{line}");
        assert!(line.starts_with("9 console errors"), "{line}");
    }

    #[test]
    fn problems_name_their_entries() {
        let mut problems = Problems::default();
        problems.console_error("TypeError: x is undefined", Some(LogId::Console(12)));
        problems.failed_request("GET /api 500", None, Some(LogId::Request(7)));
        let line = problems.next_line(PAGE).unwrap();
        assert_eq!(
            line,
            "1 console error: [e12] TypeError: x is undefined · 1 failed request: [r7] GET /api 500"
        );
    }
}
