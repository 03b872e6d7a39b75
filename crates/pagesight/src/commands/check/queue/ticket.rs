//! What a run and its pages look like in the queue. The file that lists the pages goes along;
//! values from the environment do not, each worker fills in its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pagesight_core::compare::Severity;
use pagesight_session::Engine;
use serde::{Deserialize, Serialize, Serializer};

use crate::commands::check::plan::{Job, Overrides, Plan};
use crate::project::config::rules_of;

/// The version of this format. A worker refuses a newer one and leaves the run alone.
pub(super) const VERSION: u32 = 1;

/// What workers need to know about a whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunTicket {
    #[serde(rename = "pagesight_queue")]
    pub(super) version: u32,
    /// The file that lists the pages.
    pub(super) file: PathBuf,
    /// Its text.
    pub(super) text: String,
    /// The text of the project's settings, if there are any.
    pub(super) settings: Option<String>,
    /// Instead of the `base_url` of the file.
    pub(super) base_url: Option<String>,
    /// The severity at which a change fails.
    pub(super) fail_on: Severity,
    /// Instead of its `browsers`, unless empty.
    #[serde(serialize_with = "engine_ids")]
    pub(super) browsers: Vec<Engine>,
    /// Changes are accepted.
    pub(super) update: bool,
    /// A missing baseline may be saved.
    pub(super) may_save: bool,
}

/// A page in the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PageTicket {
    pub(super) name: String,
    #[serde(serialize_with = "engine_id")]
    pub(super) browser: Engine,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) scope: String,
    /// The index of the job in the plan.
    pub(super) job: usize,
}

fn engine_id<S: Serializer>(engine: &Engine, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(engine.id())
}

fn engine_ids<S: Serializer>(engines: &[Engine], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(engines.iter().map(|engine| engine.id()))
}

impl RunTicket {
    /// Reads the text of a run. The error is a sentence.
    pub(super) fn read(text: &str) -> Result<RunTicket, String> {
        #[derive(Deserialize)]
        struct Versioned {
            pagesight_queue: u32,
        }
        let damaged = |error: serde_json::Error| format!("it cannot be read: {error}");
        let Versioned { pagesight_queue } = serde_json::from_str(text).map_err(damaged)?;
        if pagesight_queue > VERSION {
            return Err(format!(
                "a newer pagesight added it (version {pagesight_queue}, this one reads {VERSION}); use that one"
            ));
        }
        serde_json::from_str(text).map_err(damaged)
    }

    /// Makes the plan again, with the values of this machine's environment.
    pub(super) fn plan(
        &self,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, String> {
        let overrides = Overrides {
            base_url: self.base_url.clone(),
            fail_on: Some(self.fail_on),
            browsers: self.browsers.clone(),
        };
        // Files that pages upload come from the folder of the worker, whatever the run says.
        let name = self.file.file_name().map_or(Path::new("pages.toml"), Path::new);
        let mut plan = Plan::read(name, &self.text, &overrides, environment)?;
        if let Some(settings) = &self.settings {
            let rules = rules_of(settings)?;
            for job in &mut plan.jobs {
                job.rules.0.extend(rules.0.iter().cloned());
            }
        }
        Ok(plan)
    }
}

impl PageTicket {
    /// Returns the ticket of a job of a plan.
    pub(super) fn of(plan: &Plan, at: usize) -> PageTicket {
        let job = &plan.jobs[at];
        PageTicket {
            name: job.name.clone(),
            browser: job.engine,
            width: job.viewport.width,
            height: job.viewport.height,
            scope: job.scope.clone(),
            job: at,
        }
    }

    fn key(&self) -> (&str, &'static str, u32, u32, &str) {
        (&self.name, self.browser.id(), self.width, self.height, &self.scope)
    }
}

/// The jobs of a plan, by their tickets.
pub(super) struct Jobs(HashMap<(String, &'static str, u32, u32, String), Job>);

impl Jobs {
    /// Indexes the jobs of a plan.
    pub(super) fn of(plan: &Plan) -> Jobs {
        let keyed = |job: &Job| {
            let size = job.viewport;
            let key =
                (job.name.clone(), job.engine.id(), size.width, size.height, job.scope.clone());
            (key, job.clone())
        };
        Jobs(plan.jobs.iter().map(keyed).collect())
    }

    /// Returns the job of a page.
    pub(super) fn find(&self, ticket: &PageTicket) -> Option<&Job> {
        let (name, engine, width, height, scope) = ticket.key();
        self.0.get(&(name.to_owned(), engine, width, height, scope.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "base_url = \"http://a\"\nviewports = [\"800x600\", \"400x300\"]\n[[page]]\nroute = \"/${PART}\"\nname = \"p\"\n";

    fn ticket() -> RunTicket {
        RunTicket {
            version: VERSION,
            file: "/etc/pages.toml".into(),
            text: TEXT.to_owned(),
            settings: Some("[[ignore]]\ntext = \"Ad*\"\n".to_owned()),
            base_url: Some("http://b".to_owned()),
            fail_on: Severity::Warning,
            browsers: vec![Engine::Firefox],
            update: false,
            may_save: true,
        }
    }

    #[test]
    fn a_worker_makes_the_same_plan_with_its_own_environment() {
        let text = serde_json::to_string(&ticket()).unwrap();
        assert!(!text.contains("s3cret"));
        let read = RunTicket::read(&text).unwrap();
        let plan = read.plan(&|name| (name == "PART").then(|| "s3cret".to_owned())).unwrap();
        assert_eq!((plan.jobs.len(), plan.fail_on), (2, Severity::Warning));
        assert_eq!(plan.path, Path::new("pages.toml"), "not a folder that the run names");
        assert_eq!(plan.jobs[0].url.as_str(), "http://b/s3cret");
        assert_eq!(plan.jobs[0].rules.0.len(), 1, "the rules of the settings");
        let jobs = Jobs::of(&plan);
        for at in 0..2 {
            let page = serde_json::to_string(&PageTicket::of(&plan, at)).unwrap();
            assert!(!page.contains("s3cret"), "{page}");
            let page: PageTicket = serde_json::from_str(&page).unwrap();
            assert_eq!(page.browser, Engine::Firefox);
            assert_eq!(jobs.find(&page).unwrap().viewport, plan.jobs[at].viewport);
        }
        let other = PageTicket { scope: "#a".to_owned(), ..PageTicket::of(&plan, 0) };
        assert!(jobs.find(&other).is_none());
        assert!(read.plan(&|_| None).unwrap_err().contains("PART"));
    }

    #[test]
    fn a_newer_run_is_refused() {
        let newer = RunTicket::read(r#"{"pagesight_queue": 2, "what": 1}"#).unwrap_err();
        assert!(newer.contains("newer"), "{newer}");
        assert!(RunTicket::read("{}").is_err() && RunTicket::read("").is_err());
    }
}
