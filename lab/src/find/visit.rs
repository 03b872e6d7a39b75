//! Visits pages in a browser that the program and the lab share, lets the oracle list what can be
//! asked for, and asks the program.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::drawings;
use super::facts::PageFacts;
use super::judge::{AnswerVerdict, Dialect, judge};
use super::questions::{Question, QuestionKind, about_absent_record, questions, without_answer};
use super::several::{self, SubjectAnswer};
use super::{Half, hash};
use crate::attached::{AttachedTab, tab_targets};
use crate::devtools::{DevTools, LabBrowser};
use crate::mcp::McpClient;
use crate::options::{PageGroup, Visitor};
use crate::pages::PageState;
use crate::product::count_tokens;
use crate::random::Random;

/// The oracle: what a person could ask for.
const ORACLE: &str = include_str!("oracle.js");
/// How many questions of one kind a page gives.
const PER_KIND: usize = 12;
const PER_KIND_SAVED: usize = 25;
/// How many questions without an answer each page gets of both sorts, and how many are tried.
const WITHOUT_ANSWER: usize = 2;
const TRIES: usize = 60;
/// How long one page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(180);

/// A question with its answer.
pub struct Answered {
    pub page: String,
    pub group: PageGroup,
    /// Where the page can be visited again; `None` if it is a state of an app.
    pub url: Option<String>,
    pub question: Question,
    pub answer: String,
    pub tokens: usize,
    pub verdict: AnswerVerdict,
}

/// All answers of a run.
pub struct Asked {
    pub answered: Vec<Answered>,
    pub subjects: Vec<SubjectAnswer>,
    /// How many queries the subjects belong to.
    pub queries: usize,
    /// The pages that could not be asked about.
    pub failed: Vec<String>,
}

/// The program, the browser, and what was asked so far.
pub struct Asker {
    client: McpClient,
    browser: LabBrowser,
    tools: DevTools,
    tab: AttachedTab,
    seed: u64,
    half: Half,
    answered: Vec<Answered>,
    /// The subjects of queries with several, and how many queries there were.
    subjects: Vec<SubjectAnswer>,
    queries: usize,
    /// Questions of pages that were visited, to be asked on pages that do not answer them.
    pool: Vec<String>,
    /// Keys of records of pages that were visited.
    keys: Vec<String>,
    failed: Vec<String>,
}

impl Visitor for Asker {
    async fn visit(&mut self, group: PageGroup, page_states: Vec<PageState>) {
        for page_state in page_states {
            self.visit_one(group, &page_state).await;
        }
    }
}

impl Asker {
    /// Starts the browser and the program.
    pub async fn start(program: &Path, seed: u64, half: Half) -> anyhow::Result<Asker> {
        let browser = LabBrowser::start().await?;
        let tools = DevTools::connect(&browser.url).await?;
        let client = McpClient::start(program, &["--connect", &browser.url]).await?;
        client.call("browser_navigate", json!({ "url": "about:blank" })).await?;
        let target = tab_targets(&tools).await?.pop().context("no tab")?;
        let tab = AttachedTab::attach(&tools, &target).await?;
        Ok(Asker {
            client,
            browser,
            tools,
            tab,
            seed,
            half,
            answered: Vec::new(),
            subjects: Vec::new(),
            queries: 0,
            pool: Vec::new(),
            keys: Vec::new(),
            failed: Vec::new(),
        })
    }

    /// Asks about one page, if it belongs to the half. States of an app depend on the state
    /// before, so they are gone through in any case.
    async fn visit_one(&mut self, group: PageGroup, page_state: &PageState) {
        let wanted = Half::of(&page_state.name) == self.half;
        if !wanted && group != PageGroup::App {
            return;
        }
        let visited = tokio::time::timeout(PAGE_LIMIT, self.ask(group, page_state, wanted)).await;
        match visited.context("took too long").flatten() {
            Ok((found, all)) if wanted => eprintln!("{}: {found} of {all}", page_state.name),
            Ok(_) => {}
            Err(error) => {
                eprintln!("{}: {error:#}", page_state.name);
                self.failed.push(page_state.name.clone());
            }
        }
    }

    async fn ask(
        &mut self,
        group: PageGroup,
        page_state: &PageState,
        wanted: bool,
    ) -> anyhow::Result<(usize, usize)> {
        if let Some(url) = &page_state.url {
            self.client.call("browser_navigate", json!({ "url": url, "max_tokens": 0 })).await?;
        }
        if group == PageGroup::App {
            self.tab.play(&self.tools, page_state).await?;
        }
        if !wanted {
            return Ok((0, 0));
        }
        let facts = self.facts().await?;
        let mut random = Random::new(self.seed ^ hash(&page_state.name));
        let per_kind = if group == PageGroup::Saved { PER_KIND_SAVED } else { PER_KIND };
        let mut asked = questions(&facts, per_kind, &mut random);
        let without = self.without_answer(&asked, &facts, &mut random);
        for question in &asked {
            if question.rewording.is_none() && question.kind != QuestionKind::ByRoleAndState {
                self.pool.push(question.text.clone());
            }
            let key = question.gold.as_ref().map(|gold| gold.beside.clone()).unwrap_or_default();
            if !key.is_empty() {
                self.keys.push(key);
            }
        }
        let several = several::queries(&asked, &without, &mut random);
        asked.extend(without);
        let (mut found, mut all) = (0, 0);
        let revisit = page_state.url.clone().filter(|_| page_state.step.is_none());
        for question in asked {
            let (answer, _) =
                self.client.call("inspect_tab", json!({ "query": question.text })).await?;
            let verdict = judge(&answer, question.gold.as_ref(), Dialect::Pagesight);
            all += 1;
            found += usize::from(verdict.found || (question.gold.is_none() && verdict.poor));
            self.answered.push(Answered {
                page: page_state.name.clone(),
                group,
                url: revisit.clone(),
                question,
                tokens: count_tokens(&answer),
                answer,
                verdict,
            });
        }
        for query in several {
            let (answer, _) =
                self.client.call("inspect_tab", json!({ "query": query.text })).await?;
            let answered = |question, part: String, verdict| Answered {
                page: format!("{}, {:?}", page_state.name, query.text),
                group,
                url: None,
                question,
                tokens: count_tokens(&part),
                answer: part,
                verdict,
            };
            self.subjects.extend(several::judge_each(&answer, &query, answered));
            self.queries += 1;
        }
        Ok((found, all))
    }

    /// Makes questions that the page does not answer from those of pages before.
    fn without_answer(
        &self,
        asked: &[Question],
        facts: &PageFacts,
        random: &mut Random,
    ) -> Vec<Question> {
        let (mut foreign, mut absent) = (Vec::new(), Vec::new());
        for _ in 0..TRIES {
            if let Some(text) = random.one(&self.pool).filter(|_| foreign.len() < WITHOUT_ANSWER) {
                foreign.extend(without_answer(text, &facts.words));
            }
            if let Some(key) = random.one(&self.keys).filter(|_| absent.len() < WITHOUT_ANSWER)
                && let Some(question) = random.one(asked)
            {
                absent.extend(about_absent_record(question, key, &facts.words));
            }
        }
        foreign.into_iter().chain(absent).collect()
    }

    /// Runs the oracle in a world of its own.
    async fn facts(&self) -> anyhow::Result<PageFacts> {
        let session = Some(self.tab.session.as_str());
        let tree = self.tools.call(session, "Page.getFrameTree", json!({})).await?;
        let frame = &tree["frameTree"]["frame"]["id"];
        let world = json!({ "frameId": frame, "worldName": "find" });
        let world = self.tools.call(session, "Page.createIsolatedWorld", world).await?;
        let call = json!({
            "functionDeclaration": ORACLE,
            "executionContextId": world["executionContextId"],
            "returnByValue": true,
        });
        let answer = self.tools.call(session, "Runtime.callFunctionOn", call).await?;
        let failed = &answer["exceptionDetails"]["exception"]["description"];
        anyhow::ensure!(failed.is_null(), "the oracle failed: {failed}");
        let report = answer["result"]["value"].as_str().context("no report")?;
        let mut facts: PageFacts = serde_json::from_str(report)?;
        drawings::name(&mut facts);
        Ok(facts)
    }

    /// Ends the program and the browser; returns what was asked.
    pub async fn end(self) -> anyhow::Result<Asked> {
        self.client.close().await?;
        self.browser.close(&self.tools).await;
        let Asker { answered, subjects, queries, failed, .. } = self;
        Ok(Asked { answered, subjects, queries, failed })
    }
}
