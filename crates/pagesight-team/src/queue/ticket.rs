//! The form of a run and its pages in the queue. It contains the file that lists the pages, but no
//! values from the environment: each worker fills in its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pagesight_check::plan::{Job, Overrides, Plan, PlanBounds, PlanError};
use pagesight_check::settings::{SettingsError, rules_of};
use pagesight_core::compare::Severity;
use pagesight_core::text::address::without_values;
use pagesight_session::{Address, Engine, Viewport};
use serde::{Deserialize, Serialize};

/// The version of this format. A worker refuses a newer one and leaves the run alone.
pub const TICKET_VERSION: u32 = 1;

/// Why a run or a page of the queue cannot be used.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum TicketError {
    #[error("it cannot be read: {0}")]
    Damaged(String),
    #[error(
        "a newer pagesight added it (version {found}, this one reads {TICKET_VERSION}); use that one"
    )]
    Newer { found: u32 },
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(
        "{address}: a source lists it with a value of the environment, which must not be in the database; write the value in base_url"
    )]
    SecretInAddress { address: String },
}

/// A run, as workers read it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunTicket {
    /// The version of this format.
    #[serde(rename = "pagesight_queue")]
    pub version: u32,
    /// The file that lists the pages.
    pub file: PathBuf,
    /// The text of that file.
    pub text: String,
    /// The text of the project's settings, if there are any.
    pub settings: Option<String>,
    /// Instead of the `base_url` of the file.
    pub base_url: Option<String>,
    /// The severity at which a change fails.
    pub fail_on: Severity,
    /// Instead of its `browsers`, unless empty.
    pub browsers: Vec<Engine>,
    /// Changes are accepted as the new baselines.
    pub update: bool,
    /// A missing baseline may be saved.
    pub may_save: bool,
}

/// A page in the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageTicket {
    /// The name of the page.
    pub name: String,
    /// The browser.
    pub browser: Engine,
    /// The width of the viewport.
    pub width: u32,
    /// The height of the viewport.
    pub height: u32,
    /// The conditions that are emulated, in a few words; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub emulation: String,
    /// The scope; empty for the whole page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scope: String,
    /// The index of the job in the plan.
    pub job: usize,
    /// Where it is, if a source lists it. Otherwise the file says that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<ListedTicket>,
}

/// Where a page is that a source lists. Workers do not list the pages again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedTicket {
    /// The index of the source in the file.
    pub source: usize,
    /// Its address. A route under the base URL begins with `/`.
    pub address: String,
}

impl RunTicket {
    /// Reads the text of a run.
    pub fn read(text: &str) -> Result<RunTicket, TicketError> {
        #[derive(Deserialize)]
        struct Versioned {
            pagesight_queue: u32,
        }
        let damaged = |error: serde_json::Error| TicketError::Damaged(error.to_string());
        let Versioned { pagesight_queue } = serde_json::from_str(text).map_err(damaged)?;
        if pagesight_queue > TICKET_VERSION {
            return Err(TicketError::Newer { found: pagesight_queue });
        }
        serde_json::from_str(text).map_err(damaged)
    }

    /// Makes the plan again, with the values of this machine's environment. Whoever can write to
    /// the database wrote it, so `bounds` says what it may use. `base_url` replaces that of the
    /// run.
    pub fn plan(
        &self,
        base_url: Option<&str>,
        bounds: PlanBounds,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Plan, TicketError> {
        let overrides = Overrides {
            base_url: base_url.map(str::to_owned).or_else(|| self.base_url.clone()),
            fail_on: Some(self.fail_on),
            browsers: self.browsers.clone(),
        };
        // The name is only printed; the run chooses no folder of the worker.
        let name = self.file.file_name().map_or(Path::new("pages.toml"), Path::new);
        let mut plan = Plan::read_within(name, &self.text, &overrides, environment, bounds)?;
        if let Some(settings) = &self.settings {
            let rules = rules_of(settings)?;
            plan.add_rules(&rules);
        }
        Ok(plan)
    }
}

impl PageTicket {
    /// Returns the ticket of a job of a plan.
    pub fn of(plan: &Plan, at: usize) -> Result<PageTicket, TicketError> {
        let job = &plan.jobs[at];
        let listed = match job.source {
            Some(source) => Some(ListedTicket { source, address: address(plan, &job.url)? }),
            None => None,
        };
        Ok(PageTicket {
            name: job.name.clone(),
            browser: job.engine,
            width: job.viewport.width,
            height: job.viewport.height,
            emulation: job.emulation.to_string(),
            scope: job.scope.clone(),
            job: at,
            listed,
        })
    }

    fn view(&self) -> View {
        let Self { width, height, .. } = *self;
        (self.browser.id(), width, height, self.emulation.clone(), self.scope.clone())
    }
}

/// Returns the address of a listed page without the base URL, which may differ for each worker.
fn address(plan: &Plan, url: &Address) -> Result<String, TicketError> {
    let base = plan.base_url.as_deref().map(|base| base.trim_end_matches('/'));
    let route = base.and_then(|base| url.as_str().strip_prefix(base));
    let address = route.filter(|rest| rest.starts_with('/')).unwrap_or(url.as_str());
    if plan.secrets.hide(address.to_owned()) != address {
        let address = plan.secrets.hide(without_values(url.as_str()));
        return Err(TicketError::SecretInAddress { address });
    }
    Ok(address.to_owned())
}

/// Browser, width, height, what is emulated and scope.
type View = (&'static str, u32, u32, String, String);

/// The jobs of a plan, by their tickets.
pub(super) struct Jobs {
    /// By the names of their pages.
    named: HashMap<(String, View), Job>,
    /// Those of the pages that sources list, by the indices of the sources.
    listed: HashMap<(usize, View), Job>,
    base_url: String,
}

impl Jobs {
    /// Indexes the jobs of a plan.
    pub(super) fn of(plan: &Plan) -> Jobs {
        let view = |job: &Job| {
            let Viewport { width, height } = job.viewport;
            (job.engine.id(), width, height, job.emulation.to_string(), job.scope.clone())
        };
        let named = plan.jobs.iter().map(|job| ((job.name.clone(), view(job)), job.clone()));
        let listed = plan.listed_jobs().map(|(at, job)| ((at, view(job)), job.clone()));
        let base_url = plan.base_url.as_deref().unwrap_or_default().trim_end_matches('/');
        Jobs { named: named.collect(), listed: listed.collect(), base_url: base_url.to_owned() }
    }

    /// Returns the job of a page.
    pub(super) fn find(&self, ticket: &PageTicket) -> Option<Job> {
        let Some(listed) = &ticket.listed else {
            return self.named.get(&(ticket.name.clone(), ticket.view())).cloned();
        };
        let template = self.listed.get(&(listed.source, ticket.view()))?;
        if template.is_nowhere() {
            return Some(template.of_page(&ticket.name, &template.url));
        }
        let url: Address = match listed.address.starts_with('/') {
            true => format!("{}{}", self.base_url, listed.address).parse().ok()?,
            false => listed.address.parse().ok()?,
        };
        Some(template.of_page(&ticket.name, &url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "base_url = \"http://a\"\nviewports = [\"800x600\", \"400x300\"]\n[[page]]\nroute = \"/${PART}\"\nname = \"p\"\n";

    fn ticket() -> RunTicket {
        RunTicket {
            version: TICKET_VERSION,
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

    fn bounds(origins: &[&str], variable: &str) -> PlanBounds {
        PlanBounds {
            origins: origins.iter().map(|origin| origin.parse().unwrap()).collect(),
            variables: vec![variable.to_owned()],
            upload_root: None,
        }
    }

    #[test]
    fn a_worker_makes_the_same_plan_with_its_own_environment() {
        let text = serde_json::to_string(&ticket()).unwrap();
        assert!(!text.contains("s3cret"));
        let read = RunTicket::read(&text).unwrap();
        let part = |name: &str| (name == "PART").then(|| "s3cret".to_owned());
        let plan = read.plan(None, bounds(&["http://b"], "PART"), &part).unwrap();
        assert_eq!((plan.jobs.len(), plan.fail_on), (2, Severity::Warning));
        assert_eq!(plan.path, Path::new("pages.toml"), "not a folder that the run names");
        assert_eq!(plan.jobs[0].url.as_str(), "http://b/s3cret");
        assert_eq!(plan.jobs[0].rules.0.len(), 1, "the rules of the settings");
        let jobs = Jobs::of(&plan);
        for at in 0..2 {
            let page = serde_json::to_string(&PageTicket::of(&plan, at).unwrap()).unwrap();
            assert!(!page.contains("s3cret"), "{page}");
            let page: PageTicket = serde_json::from_str(&page).unwrap();
            assert_eq!(page.browser, Engine::Firefox);
            assert_eq!(jobs.find(&page).unwrap().viewport, plan.jobs[at].viewport);
        }
        let other = PageTicket { scope: "#a".to_owned(), ..PageTicket::of(&plan, 0).unwrap() };
        assert!(jobs.find(&other).is_none());
        assert!(plan.out_of_bounds(&plan.jobs[0]).is_none());
        let unset = read.plan(None, bounds(&["http://b"], "PART"), &|_| None).unwrap_err();
        assert!(unset.to_string().contains("PART"));
        let own = read.plan(Some("http://c"), bounds(&["http://c"], "PART"), &part).unwrap();
        assert_eq!(own.jobs[0].url.as_str(), "http://c/s3cret", "the worker has the last word");
    }

    #[test]
    fn a_listed_page_is_found_without_listing_it_again() {
        let text = "base_url = \"http://${HOST}\"\nsitemap = \"/s.xml\"\n[[source]]\ncommand = \"true\"\nretries = 7\n";
        let ticket = RunTicket { text: text.to_owned(), base_url: None, ..ticket() };
        let on = |host: &'static str| {
            let host = |name: &str| (name == "HOST").then(|| host.to_owned());
            ticket.plan(None, bounds(&["http://one.example:1"], "HOST"), &host).unwrap()
        };
        let mut plan = on("one.example:1");
        for url in ["http://one.example:1/a?b=1", "http://other.example/c"] {
            let url: Address = url.parse().unwrap();
            let template = plan.listed_jobs().find(|(at, _)| *at == 1).unwrap().1.clone();
            plan.jobs.push(template.of_page("a", &url));
        }
        let jobs = Jobs::of(&on("two.example:2"));
        let found: Vec<Job> = (0..2)
            .map(|at| {
                let page = serde_json::to_string(&PageTicket::of(&plan, at).unwrap()).unwrap();
                assert!(!page.contains("one.example"), "{page}");
                jobs.find(&serde_json::from_str(&page).unwrap()).unwrap()
            })
            .collect();
        assert_eq!(found[0].url.as_str(), "http://two.example:2/a?b=1");
        assert_eq!(found[1].url.as_str(), "http://other.example/c");
        assert_eq!((found[0].name.as_str(), found[0].retries), ("a", 7), "of its own source");
        assert_eq!(found[0].rules.0.len(), 1, "the rules of the settings");
        let hidden: Address = "http://x.example/?at=one.example:1".parse().unwrap();
        let template = plan.listed_jobs().next().unwrap().1.clone();
        plan.jobs.push(template.of_page("b", &hidden));
        let refused = PageTicket::of(&plan, 2).unwrap_err().to_string();
        assert!(refused.contains("environment") && !refused.contains("one.example"), "{refused}");
    }

    #[test]
    fn a_page_of_the_queue_asks_for_no_more_than_the_worker_allows() {
        let text = "base_url = \"http://${HOST}\"\nsitemap = \"/s.xml\"\n[[page]]\nname = \"p\"\nurl = \"http://a/${AWS_SECRET_ACCESS_KEY}\"\n";
        let ticket = RunTicket { text: text.to_owned(), base_url: None, ..ticket() };
        let environment = |_: &str| Some("hunter22".to_owned());
        let plan = ticket.plan(None, bounds(&["http://a"], "X"), &environment).unwrap();
        let jobs = Jobs::of(&plan);
        let why = |page: &PageTicket| plan.out_of_bounds(&jobs.find(page).unwrap()).unwrap();
        let page = PageTicket::of(&plan, 0).unwrap();
        assert!(why(&page).to_string().contains("--env AWS_SECRET_ACCESS_KEY"), "{}", why(&page));
        // Addresses of sources are in the rows, not in the file.
        let listed = |address: &str| {
            let listed = ListedTicket { source: 0, address: address.to_owned() };
            PageTicket { listed: Some(listed), ..page.clone() }
        };
        assert!(why(&listed("/a")).to_string().contains("--env HOST"));
        let plan = ticket.plan(Some("http://a"), bounds(&["http://a"], "X"), &environment).unwrap();
        let jobs = Jobs::of(&plan);
        let why = |page: &PageTicket| plan.out_of_bounds(&jobs.find(page).unwrap());
        assert_eq!(why(&listed("/a")), None);
        for (address, says) in [
            ("http://169.254.169.254/", "http://169.254.169.254"),
            ("http://a@evil.example/", "http://evil.example"),
            ("data:text/html,x", "data:"),
        ] {
            let found = why(&listed(address)).map(|why| why.to_string()).unwrap_or_default();
            assert!(found.contains(says), "{address}: {found}");
        }
    }

    #[test]
    fn a_newer_run_is_refused() {
        let newer =
            RunTicket::read(r#"{"pagesight_queue": 2, "what": 1}"#).unwrap_err().to_string();
        assert!(newer.contains("newer"), "{newer}");
        assert!(RunTicket::read("{}").is_err() && RunTicket::read("").is_err());
    }
}
