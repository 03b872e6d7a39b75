//! The operations: each is defined once, in a file of its own, and serves MCP and the command line.
//! Nothing here knows which of the two is asking.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::project::store::Kept;
use pagesight_session::{Session, SessionError, TabRecord};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub(crate) mod annotate;
pub(crate) mod baselines;
pub(crate) mod compare;
pub(crate) mod element;
pub(crate) mod evaluate;
pub(crate) mod expand;
pub(crate) mod experiments;
pub(crate) mod fingerprint;
pub(crate) mod info;
pub(crate) mod inspect;
pub(crate) mod interact;
pub(crate) mod navigate;
pub(crate) mod schema;
pub(crate) mod screenshot;
pub(crate) mod snapshot;
pub(crate) mod tabs;

/// How long a call may take.
const CALL_LIMIT: Duration = Duration::from_secs(30);

/// What an operation works on: the session, and what the user allowed.
pub(crate) struct Workspace {
    /// The browser with its tabs and references.
    pub(crate) session: Session,
    /// Whether `browser_evaluate` is offered.
    pub(crate) allow_evaluate: bool,
    /// Fingerprints and baselines.
    pub(crate) kept: Arc<Kept>,
}

/// What an operation answers.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) content: Content,
    /// It did not do what was asked, though it has something to tell.
    pub(crate) failed: bool,
    /// What has to be said beside a content that has no room for it.
    pub(crate) beside: Option<String>,
}

/// The answer itself; nothing is ever sent twice.
#[derive(Debug)]
pub(crate) enum Content {
    /// Lines of text.
    Text(String),
    /// JSON.
    Json(Value),
    /// JSON that is written already, its keys in an order that is meant.
    JsonText(String),
    /// An encoded image.
    Image {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their media type.
        media_type: &'static str,
    },
}

impl Answer {
    pub(crate) fn text(text: impl Into<String>) -> Answer {
        Answer { content: Content::Text(text.into()), failed: false, beside: None }
    }

    /// The same, with something told first.
    fn with_notice(mut self, notice: &str) -> Answer {
        match &mut self.content {
            Content::Text(text) => text.insert_str(0, &format!("{notice}\n")),
            Content::Json(Value::Object(object)) => {
                object.insert("notice".to_owned(), notice.into());
            }
            Content::Json(_) | Content::JsonText(_) | Content::Image { .. } => {
                self.beside = Some(notice.to_owned())
            }
        }
        self
    }

    pub(crate) fn json_text(text: String) -> Answer {
        Answer { content: Content::JsonText(text), failed: false, beside: None }
    }

    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Answer, SessionError> {
        let value =
            serde_json::to_value(value).map_err(|error| SessionError::Input(error.to_string()))?;
        Ok(Answer { content: Content::Json(value), failed: false, beside: None })
    }
}

/// What an operation does to the world, for the hints that clients show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Looks only.
    Reads,
    /// Changes which page is shown, and the like.
    Steers,
    /// May change data behind the page.
    Acts,
}

/// An operation as it is written down.
pub(crate) trait Operation {
    /// The tool's name.
    const NAME: &'static str;
    /// What it does, in as few words as an agent needs.
    const DESCRIPTION: &'static str;
    /// What it does to the world.
    const EFFECT: Effect;
    /// How long it may take.
    const LIMIT: Duration = CALL_LIMIT;
    /// Its parameters.
    type Parameters: DeserializeOwned + JsonSchema + Send;

    /// Does it.
    fn run(
        workspace: &Workspace,
        parameters: Self::Parameters,
    ) -> impl Future<Output = Result<Answer, SessionError>> + Send;
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<Answer, SessionError>> + Send + 'a>>;

/// An operation as data, for whoever lists or calls them.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) schema: fn() -> Map<String, Value>,
    call: for<'a> fn(&'a Workspace, Value) -> Running<'a>,
}

impl Tool {
    fn of<O: Operation>() -> Tool {
        Tool {
            name: O::NAME,
            description: O::DESCRIPTION,
            effect: O::EFFECT,
            schema: schema::of::<O::Parameters>,
            call: |workspace, arguments| {
                Box::pin(async move {
                    let parameters = serde_json::from_value(arguments)
                        .map_err(|error| wrong_arguments(O::NAME, &error))?;
                    run::<O>(workspace, parameters).await
                })
            },
        }
    }

    /// Calls it with JSON arguments.
    pub(crate) fn call<'a>(&self, workspace: &'a Workspace, arguments: Value) -> Running<'a> {
        (self.call)(workspace, arguments)
    }
}

/// What is wrong with the arguments, without the names of our own types.
fn wrong_arguments(tool: &str, error: &serde_json::Error) -> SessionError {
    let mut text = error.to_string();
    for own in ["usize", "u64", "u32"] {
        text = text.replace(&format!("expected {own}"), "expected a whole number");
    }
    text = text.replace("expected f64", "expected a number");
    SessionError::Input(format!(
        "{tool}: {}; see the tool's schema",
        text.chars().take(300).collect::<String>()
    ))
}

/// Runs an operation within its limit; tells first if the browser had to be started anew.
pub(crate) async fn run<O: Operation>(
    workspace: &Workspace,
    parameters: O::Parameters,
) -> Result<Answer, SessionError> {
    let done = tokio::time::timeout(O::LIMIT, O::run(workspace, parameters)).await;
    let answer = done.unwrap_or(Err(SessionError::TookTooLong { seconds: O::LIMIT.as_secs() }));
    let Some(notice) = workspace.session.take_notice() else { return answer };
    match answer {
        Ok(answer) => Ok(answer.with_notice(&notice)),
        Err(error) => Err(SessionError::Input(format!("{error} ({notice})"))),
    }
}

/// Every operation that is offered.
pub(crate) fn all(allow_evaluate: bool) -> Vec<Tool> {
    let mut tools = vec![
        Tool::of::<navigate::Navigate>(),
        Tool::of::<inspect::Inspect>(),
        Tool::of::<interact::Interact>(),
        Tool::of::<expand::Expand>(),
        Tool::of::<snapshot::TakeSnapshot>(),
        Tool::of::<fingerprint::GetFingerprint>(),
        Tool::of::<compare::Compare>(),
        Tool::of::<baselines::ManageBaselines>(),
        Tool::of::<screenshot::TakeScreenshot>(),
        Tool::of::<info::Info>(),
        Tool::of::<tabs::Tabs>(),
        Tool::of::<experiments::Experiments>(),
    ];
    if allow_evaluate {
        tools.push(Tool::of::<evaluate::Evaluate>());
    }
    tools
}

impl Workspace {
    /// A workspace that keeps nothing yet.
    pub(crate) fn new(session: Session, allow_evaluate: bool) -> Workspace {
        Workspace { session, allow_evaluate, kept: Arc::default() }
    }

    /// The tab that a call names; `tab` and the seed's `tabName` are the same.
    pub(crate) async fn tab(&self, tab: &Option<String>) -> Result<Arc<TabRecord>, SessionError> {
        self.session.tab(tab.as_deref()).await
    }
}
