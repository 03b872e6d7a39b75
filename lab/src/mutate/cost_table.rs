//! `cargo lab mutate --costs`: how long each way of looking takes, how many tokens its answer has,
//! and how many of the changes that a person would notice it shows. A screenshot does not count: it
//! has to be interpreted first.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use crate::product::{
    FingerprintRequest, ScopeChoice, Session, ShotOptions, TabRecord, count_tokens,
    fingerprint_answer,
};
use crate::report::median;

/// How many pixels of an image make one token, by the documentation of the models.
const PIXELS_PER_TOKEN: f64 = 750.0;

#[derive(Default)]
pub struct CostTable {
    /// Milliseconds and tokens of each answer.
    info: Vec<(f64, usize)>,
    print: Vec<(f64, usize)>,
    shot: Vec<(f64, usize)>,
    /// Noticeable changes, and those of them that `get_page_info` showed.
    noticeable: usize,
    shown: usize,
}

impl CostTable {
    /// Measures each way on one page.
    pub async fn measure(&mut self, session: &Session, tab: &Arc<TabRecord>) -> anyhow::Result<()> {
        let since = |begun: Instant| begun.elapsed().as_secs_f64() * 1_000.0;
        let begun = Instant::now();
        let info = session.page_info(tab).await?;
        self.info.push((since(begun), count_tokens(&serde_json::to_string(&info)?)));
        // The fingerprint of an unchanged page is cached; this change makes it stale.
        session.evaluate(tab, "void document.body.toggleAttribute('data-quux')").await?;
        let begun = Instant::now();
        let print = session.fingerprint(tab, &FingerprintRequest::default()).await?;
        let text = fingerprint_answer(&print, &[]).to_string();
        self.print.push((since(begun), count_tokens(&text)));
        let begun = Instant::now();
        let options = ShotOptions { scope: ScopeChoice::Viewport, ..ShotOptions::default() };
        session.screenshot(tab, &options).await?;
        self.shot.push((since(begun), (1280.0 * 720.0 / PIXELS_PER_TOKEN) as usize));
        Ok(())
    }

    /// Returns what `get_page_info` says, without the parts that change without an action.
    pub async fn info(session: &Session, tab: &Arc<TabRecord>) -> anyhow::Result<Value> {
        let mut info = serde_json::to_value(session.page_info(tab).await?)?;
        for restless in ["pending_requests", "scroll"] {
            info[restless] = Value::Null;
        }
        Ok(info)
    }

    /// Counts a change that a person would notice.
    pub fn noticed(&mut self, before: &Value, after: &Value) {
        self.noticeable += 1;
        self.shown += usize::from(before != after);
    }

    /// Returns the table; `found` of `all` changes were named correctly by the fingerprint.
    pub fn table(&self, (found, all): (usize, usize)) -> String {
        let share = |part: usize, all: usize| {
            format!("{:.0} % of {all}", part as f64 * 100.0 / all.max(1) as f64)
        };
        let shown = format!("{} (something changed)", share(self.shown, self.noticeable));
        let reported = format!("{} (named correctly)", share(found, all));
        let mut out = "| way | median time | tokens | changes that it shows |\n|---|---|---|---|\n"
            .to_owned();
        out += &row("`get_page_info`", &shown, &self.info);
        out += &row("`get_dom_fingerprint`", &reported, &self.print);
        out + &row("screenshot of the viewport", "not judged", &self.shot)
    }
}

fn row(name: &str, shows: &str, taken: &[(f64, usize)]) -> String {
    let (times, tokens): (Vec<f64>, Vec<usize>) = taken.iter().copied().unzip();
    format!("| {name} | {:.0} ms | {} | {shows} |\n", median(&times), median(&tokens))
}
