//! The commands that work on a page, as data. A command runs in this process, in a browser of its
//! own, or in the process that shell commands share; it answers the same in both.

mod answer;
pub(crate) mod audit;
mod metrics;
pub(crate) mod readable;

use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesight_core::compare::{Severity, answer as comparison_answer};
use pagesight_core::render::{Measured, SnapshotFormat};
use pagesight_core::rows::RowsRead;
use pagesight_core::rows::print::RowsFormat;
use pagesight_core::text::{json as json_text, tokens};
use pagesight_session::{
    Emulation, HiddenValues, ImageFormat, SessionError, Step, TabInfo, Viewport, WebOrigin,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use audit::AuditParameters;

pub(crate) use answer::{CallEnding, CallFailure, ShellAnswer};

use crate::tools::answer::Answer;
use crate::tools::compare::compare_live;
use crate::tools::error::ToolError;
use crate::tools::evaluate::{Evaluate, EvaluateParameters};
use crate::tools::expand::expand_live;
use crate::tools::fingerprint::{FingerprintParameters, GetFingerprint};
use crate::tools::info::{Info, InfoParameters};
use crate::tools::inspect::{Inspect, InspectParameters};
use crate::tools::interact::{Interact, InteractParameters};
use crate::tools::log::{self, LogParameters};
use crate::tools::navigate::{Navigate, NavigateParameters};
use crate::tools::operation::{Operation, SteppedOperation};
use crate::tools::output_file::text_bytes;
use crate::tools::picture::SizeLimit;
use crate::tools::rows::{self, ReadRows, RowsParameters};
use crate::tools::screenshot::{self, ScreenshotParameters};
use crate::tools::snapshot::{self, SnapshotParameters};
use crate::tools::tabs::{ManageTabs, TabsParameters, line_with_title};
use crate::tools::workspace::Workspace;
use pagesight_check::report::comparison;

/// How long the state of a session may take: each of its origins is visited.
const SAVE_LIMIT: Duration = Duration::from_secs(300);
/// How long an audit may take: every rule looks at the whole page.
const AUDIT_LIMIT: Duration = Duration::from_secs(60);

/// A command on a page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PageCall {
    /// `viewport`: the size that the tab gets first. `emulation`: the conditions that it gets.
    Open {
        url: String,
        viewport: Option<Viewport>,
        emulation: Emulation,
    },
    Step(Step),
    Tabs(TabsParameters),
    Act(InteractParameters),
    Look(InspectParameters),
    Element {
        element: String,
    },
    /// `format`: the one that the name of the file says.
    Shot {
        parameters: ScreenshotParameters,
        format: Option<ImageFormat>,
    },
    Snapshot(SnapshotParameters),
    /// `to`: the name of the file that all rows go to.
    Rows {
        parameters: Box<RowsParameters>,
        to: Option<PathBuf>,
    },
    Info,
    Evaluate(EvaluateParameters),
    /// The cookies and localStorage of the session, with those of these origins.
    SaveState {
        origins: Vec<String>,
    },
    Log(LogParameters),
    Fingerprint(FingerprintParameters),
    Audit(AuditParameters),
    Compare {
        against: String,
        threshold: Severity,
    },
}

impl PageCall {
    /// Returns the name of the command.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            PageCall::Open { .. } => "open",
            PageCall::Step(Step::Back) => "back",
            PageCall::Step(Step::Forward) => "forward",
            PageCall::Step(Step::Reload) => "reload",
            PageCall::Tabs(_) => "tabs",
            PageCall::Act(_) => "act",
            PageCall::Look(_) => "look",
            PageCall::Element { .. } => "element",
            PageCall::Shot { .. } => "shot",
            PageCall::Snapshot(_) => "snapshot",
            PageCall::Rows { .. } => "rows",
            PageCall::Info => "info",
            PageCall::Evaluate(_) => "eval",
            PageCall::SaveState { .. } => "state save",
            PageCall::Log(_) => "log",
            PageCall::Fingerprint(_) => "fingerprint",
            PageCall::Audit(_) => "audit",
            PageCall::Compare { .. } => "compare",
        }
    }

    /// Checks the parameters as far as that needs no page.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        match self {
            PageCall::Look(parameters) => parameters.check(),
            PageCall::Snapshot(parameters) => parameters.check(),
            PageCall::Rows { parameters, to } => parameters.check(to.as_deref()),
            PageCall::Log(parameters) => parameters.check(),
            PageCall::Fingerprint(parameters) => parameters.check(),
            _ => Ok(()),
        }
    }

    /// Returns how long it may take.
    fn limit(&self) -> Duration {
        match self {
            PageCall::Act(_) => Interact::LIMIT,
            PageCall::Rows { .. } => ReadRows::LIMIT,
            PageCall::SaveState { .. } => SAVE_LIMIT,
            PageCall::Audit(_) => AUDIT_LIMIT,
            _ => Inspect::LIMIT,
        }
    }
}

/// Runs a command in a workspace, until it ends or `stop` is given.
pub(crate) async fn run(
    workspace: &Workspace,
    call: PageCall,
    stop: &CancellationToken,
) -> Result<ShellAnswer, CallFailure> {
    let limit = call.limit();
    let done = tokio::time::timeout(limit, run_until(workspace, call, stop)).await;
    let done =
        done.unwrap_or_else(|_| Err(SessionError::TookTooLong { seconds: limit.as_secs() }.into()));
    let notice = workspace.session.take_notice();
    let hidden = workspace.session.hidden_values();
    match done {
        Ok(answer) => Ok(answer.with_notice(notice).without(&hidden)),
        Err(error) => {
            let sentence = hidden.hide(error.sentence(workspace.session.wording()));
            Err(CallFailure::new(&error, sentence, notice))
        }
    }
}

async fn run_until(
    workspace: &Workspace,
    call: PageCall,
    stop: &CancellationToken,
) -> Result<ShellAnswer, ToolError> {
    match call {
        // A batch ends between two actions: an action must not end halfway.
        PageCall::Act(parameters) => act(workspace, parameters, stop).await,
        // The tab that it opens is closed first.
        PageCall::SaveState { origins } => save_state(workspace, &origins, stop).await,
        call => {
            tokio::select! {
                biased;
                answer = answer(workspace, call) => answer,
                () = stop.cancelled() => Err(SessionError::Cancelled.into()),
            }
        }
    }
}

async fn answer(workspace: &Workspace, call: PageCall) -> Result<ShellAnswer, ToolError> {
    Ok(match call {
        PageCall::Open { url, viewport, emulation } => {
            if viewport.is_some() || !emulation.is_empty() {
                let session = &workspace.session;
                // A wrong URL changes nothing.
                session.address(&url)?;
                let tab = session.tab_for_url(None).await?;
                if let Some(viewport) = viewport {
                    session.resize_tab(&tab, viewport).await?;
                }
                if let Some(device) = emulation.device {
                    session.set_device(&tab, device).await?;
                }
                session.emulate(&tab, &emulation).await?;
            }
            Navigate::run(workspace, NavigateParameters::to(url)).await?.into()
        }
        PageCall::Step(step) => {
            Navigate::run(workspace, NavigateParameters::step(step)).await?.into()
        }
        PageCall::Evaluate(parameters) => Evaluate::run(workspace, parameters).await?.into(),
        PageCall::SaveState { origins } => {
            save_state(workspace, &origins, &CancellationToken::new()).await?
        }
        PageCall::Tabs(parameters) => tabs(workspace, parameters).await?,
        PageCall::Act(parameters) => act(workspace, parameters, &CancellationToken::new()).await?,
        PageCall::Look(parameters) => look(workspace, parameters).await?,
        PageCall::Element { element } => expand_live(workspace, &element).await?.into(),
        PageCall::Shot { parameters, format } => shot(workspace, &parameters, format).await?,
        PageCall::Snapshot(parameters) => live_snapshot(workspace, &parameters).await?,
        PageCall::Rows { parameters, to } => {
            let (read, format) = rows::read(workspace, &parameters, to.as_deref()).await?;
            rows_answer(read, format, to.as_deref(), &workspace.session.hidden_values())?
        }
        PageCall::Info => Info::run(workspace, InfoParameters::default()).await?.into(),
        PageCall::Log(parameters) => list_log(workspace, &parameters).await?,
        PageCall::Fingerprint(parameters) => {
            GetFingerprint::run(workspace, parameters).await?.into()
        }
        PageCall::Audit(parameters) => audit::audit(workspace, &parameters).await?,
        PageCall::Compare { against, threshold } => {
            let tab = workspace.tab(&None).await?;
            let compared = compare_live(workspace, &tab, &against).await?;
            let data = comparison_answer(&compared, threshold);
            let text = comparison::lines(&compared, threshold);
            ShellAnswer { severity: compared.severity(), ..ShellAnswer::new(text, data) }
        }
    })
}

/// Looks at the page. The data has all problems of the page, too.
async fn look(
    workspace: &Workspace,
    parameters: InspectParameters,
) -> Result<ShellAnswer, ToolError> {
    let mut answer = Inspect::run(workspace, parameters).await?;
    if let Some(page) = &mut answer.page {
        let tab = workspace.tab(&None).await?;
        // The outline is the answer, even if the page hangs now.
        let info = workspace.session.page_info(&tab).await;
        page.problems.extend(info.ok().and_then(|info| info.problems));
    }
    Ok(answer.into())
}

/// Runs actions. The data names the page, as it is after them.
async fn act(
    workspace: &Workspace,
    parameters: InteractParameters,
    stop: &CancellationToken,
) -> Result<ShellAnswer, ToolError> {
    let mut answer = Interact::run_until(workspace, parameters, stop).await?;
    if let Some(page) = answer.page.as_mut().filter(|page| page.url.is_empty()) {
        let tab = workspace.tab(&None).await?;
        match workspace.session.page_info(&tab).await {
            Ok(info) => (page.url, page.title) = (info.url, info.title),
            // A page with an open dialog does not answer.
            Err(_) => page.url = address_of_active_tab(workspace).await,
        }
    }
    Ok(answer.into())
}

async fn address_of_active_tab(workspace: &Workspace) -> String {
    let tabs = workspace.session.tabs().await.unwrap_or_default();
    tabs.into_iter().find(|tab| tab.active).map(|tab| tab.url).unwrap_or_default()
}

/// Lists or changes the tabs. The data lists those that are open then.
async fn tabs(workspace: &Workspace, parameters: TabsParameters) -> Result<ShellAnswer, ToolError> {
    let lists = parameters.lists();
    let answer = ManageTabs::run(workspace, parameters).await?;
    // Only a URL that does not load makes it fail.
    let ending = if answer.failed { CallEnding::Impossible } else { CallEnding::Done };
    let open = workspace.session.tabs_with_titles().await?;
    let tab = |(tab, title): &(TabInfo, Option<String>)| {
        json!({
            "id": tab.id, "name": tab.name, "url": tab.url, "title": title,
            "active": tab.active, "chosen": tab.unchosen.is_none(),
        })
    };
    let text = match lists && !open.is_empty() {
        true => open.iter().map(|(tab, title)| line_with_title(tab, title.as_deref())).collect(),
        false => answer.content.into_text(),
    };
    let data = json!({ "tabs": open.iter().map(tab).collect::<Vec<_>>(), "text": text });
    Ok(ShellAnswer { ending, ..ShellAnswer::new(text, data) })
}

/// Reads the state of the session.
async fn save_state(
    workspace: &Workspace,
    origins: &[String],
    stop: &CancellationToken,
) -> Result<ShellAnswer, ToolError> {
    // The client has parsed them.
    let origins: Vec<WebOrigin> = origins.iter().filter_map(|given| given.parse().ok()).collect();
    let (state, notes) = workspace.session.save_state(&origins, stop).await?;
    let data = json!({ "notes": notes });
    Ok(ShellAnswer::new(state.summary(), data).with_file(state.to_json().as_bytes()))
}

async fn shot(
    workspace: &Workspace,
    parameters: &ScreenshotParameters,
    format: Option<ImageFormat>,
) -> Result<ShellAnswer, ToolError> {
    let picture = screenshot::take(workspace, parameters, format, SizeLimit::None).await?;
    Ok(ShellAnswer::of_picture(picture.summary(), &picture.bytes))
}

async fn live_snapshot(
    workspace: &Workspace,
    parameters: &SnapshotParameters,
) -> Result<ShellAnswer, ToolError> {
    let taken = snapshot::take(workspace, parameters).await?;
    let tab = workspace.tab(&None).await?;
    let info = workspace.session.page_info(&tab).await?;
    Ok(snapshot_answer(&taken, parameters.format, &info.url, &info.title))
}

/// Returns the answer for a snapshot. A JSON snapshot is a JSON value of the data, not a string.
pub(crate) fn snapshot_answer(
    taken: &Measured,
    format: Option<SnapshotFormat>,
    url: &str,
    title: &str,
) -> ShellAnswer {
    let text = &taken.snapshot.text;
    let is_json = format == Some(SnapshotFormat::Json);
    let snapshot = match is_json {
        true => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str())),
        false => Value::from(text.as_str()),
    };
    let tokens = tokens::count(text);
    let mut data = json!({ "url": url, "title": title, "tokens": tokens, "snapshot": snapshot });
    if let Some(metrics) = &taken.metrics {
        data["metrics"] = json!(metrics);
    }
    let printed = match &taken.metrics {
        Some(metrics) if !is_json => format!("{text}{}", metrics::table(metrics)),
        _ => taken.text(),
    };
    ShellAnswer::new(printed, data)
}

/// Returns the answer for rows. The data has the rows that the text has.
pub(crate) fn rows_answer(
    read: RowsRead,
    format: RowsFormat,
    to: Option<&Path>,
    hidden: &HiddenValues,
) -> Result<ShellAnswer, ToolError> {
    let answer = ShellAnswer::new(read.text, serde_json::from_str(&read.json)?);
    let (Some(rows), Some(to)) = (read.file, to) else { return Ok(answer) };
    let rows = match format {
        RowsFormat::Json => hidden.hidden_in_answer(&rows).unwrap_or(rows),
        _ => hidden.hide(rows),
    };
    let bytes = match format {
        RowsFormat::Json => json_text::escaped(&rows).into_owned().into_bytes(),
        _ => text_bytes(&rows, to),
    };
    Ok(answer.with_file(&bytes))
}

/// Lists the log of the page, or describes one entry of it.
async fn list_log(
    workspace: &Workspace,
    parameters: &LogParameters,
) -> Result<ShellAnswer, ToolError> {
    let tab = workspace.tab(&None).await?;
    let url = address_of_active_tab(workspace).await;
    if let Some(entry) = parameters.entry()? {
        let text = log::describe(&workspace.session, &tab, entry, parameters).await?;
        let data = json!({ "url": url, "request": entry, "detail": text });
        return Ok(ShellAnswer::new(text, data));
    }
    let list = log::list(&workspace.session, &tab, parameters).await?;
    let mut data = serde_json::to_value(&list.entries)?;
    data["url"] = url.into();
    Ok(ShellAnswer::new(list.text, data))
}

impl From<Answer> for ShellAnswer {
    fn from(answer: Answer) -> ShellAnswer {
        ShellAnswer::of(answer)
    }
}
