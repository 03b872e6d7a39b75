//! The commands that work on the session's page, on a URL or on a page file: `look`, `element`,
//! `shot`, `snapshot`, `rows`, `info`, `log`, `fingerprint`, `audit`
//! and `compare`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use pagesight_core::page::Page;
use pagesight_core::render::SnapshotFormat;
use pagesight_session::{HiddenValues, Options, ScopeChoice, Session, completed_url};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::finish::{failed, finish};
use super::open_page::{on_live_page_with, page_from_file, write};
use super::{compare, shell};
use crate::cli::options::Output;
use crate::cli::page_arguments::{PageCommand, Place, PlaceArguments, is_page, page_and_other};
use crate::cli::print;
use crate::hints;
use crate::page_call::{self, CallFailure, PageCall, ShellAnswer, rows_answer, snapshot_answer};
use crate::project::store::ProjectStore;
use crate::tools::error::ToolError;
use crate::tools::expand::expand_file;
use crate::tools::fingerprint::fingerprint_file;
use crate::tools::inspect::inspect_file;
use crate::tools::rows::read_file;
use crate::tools::snapshot::take_file;
use crate::tools::workspace::Workspace;

/// The file of `pagesight shot` if none is given.
const SHOT: &str = "pagesight.png";

/// Runs a command on a page.
pub(crate) async fn run(command: PageCommand) -> anyhow::Result<ExitCode> {
    match command {
        PageCommand::Look { mut words, mut parameters, place } => {
            let has_page = words.first().is_some_and(|word| is_page(word));
            let page = has_page.then(|| words.remove(0));
            if let (None, [word]) = (&page, words.as_slice())
                && let Some(url) = completed_url(word)
            {
                print::note(&format!("{word} is looked for as a word; for that page give {url}"));
            }
            parameters.query = (!words.is_empty()).then(|| words.join(" "));
            let request = PageRequest::of(place, page)?;
            let call = PageCall::Look(parameters.clone());
            request.print(call, |page| Ok(inspect_file(page, &parameters)?.into())).await
        }
        PageCommand::Element { first, second, place } => element(first, second, place).await,
        PageCommand::Shot { first, second, parameters, place } => {
            let (page, file) = page_and_other("shot", first, second)?;
            let file = PathBuf::from(file.as_deref().unwrap_or(SHOT));
            let request = PageRequest::of(place, page)?;
            request.place.refuse_file("shot")?;
            let output = request.output;
            let format = parameters.format_of(&file).context("shot")?;
            let call = PageCall::Shot { parameters, format };
            match request.answer(call, no_file).await? {
                Ok(answer) => saved(&answer, &file, output),
                Err(failure) => Ok(failed(&failure)),
            }
        }
        PageCommand::Snapshot { page, json, mut parameters, place } => {
            if json {
                parameters.format = Some(SnapshotFormat::Json);
            }
            let request = PageRequest::of(place, page)?;
            let call = PageCall::Snapshot(parameters.clone());
            let of_file = |page: &Page| {
                let taken = take_file(page, &parameters)?;
                Ok(snapshot_answer(&taken, parameters.format, page.url(), &page.title))
            };
            request.print(call, of_file).await
        }
        PageCommand::Rows { page, parameters, to, place } => {
            let request = PageRequest::of(place, page)?;
            let output = request.output;
            let call = PageCall::Rows { parameters: Box::new(parameters.clone()), to: to.clone() };
            let of_file = |page: &Page| {
                let (read, format) = read_file(page, &parameters, to.as_deref())?;
                rows_answer(read, format, to.as_deref(), &HiddenValues::default())
            };
            let answer = request.answer(call, of_file).await?;
            match (answer, to) {
                (Ok(answer), Some(to)) => saved(&answer, &to, output),
                (answer, _) => Ok(finish(answer, output)),
            }
        }
        PageCommand::Info { page, place } => {
            let request = PageRequest::of(place, page)?;
            request.place.refuse_file("info")?;
            request.print(PageCall::Info, no_file).await
        }
        PageCommand::Log { page, parameters, place } => {
            let request = PageRequest::of(place, page)?;
            request.place.refuse_file("log")?;
            request.print(PageCall::Log(parameters), no_file).await
        }
        PageCommand::Fingerprint { page, parameters, place, store } => {
            let mut request = PageRequest::of(place, page)?;
            request.place.refuse_in_session("--store", store.store.is_some())?;
            request.store = ProjectStore::chosen(store.choice()?);
            if let Place::File(file) = &request.place {
                let (page, store) = (page_from_file(file)?, request.store.clone());
                let workspace = Workspace::with_store(Session::new(Options::default()), store);
                let taken = fingerprint_file(&workspace, &page, &parameters).await;
                let answer = taken.map(ShellAnswer::of_data).map_err(failure);
                return Ok(finish(answer, request.output));
            }
            request.print(PageCall::Fingerprint(parameters), no_file).await
        }
        PageCommand::Audit { page, parameters, place } => {
            let request = PageRequest::of(place, page)?;
            request.place.refuse_file("audit")?;
            request.print(PageCall::Audit(parameters), no_file).await
        }
        PageCommand::Compare(arguments) => compare::run(arguments).await,
    }
}

/// The page of a command, and how its answer is printed.
struct PageRequest {
    place: Place,
    store: Arc<ProjectStore>,
    output: Output,
}

impl PageRequest {
    fn of(place: PlaceArguments, page: Option<String>) -> anyhow::Result<PageRequest> {
        let output = place.shared.session.output.output;
        Ok(PageRequest { place: place.place(page)?, store: Arc::default(), output })
    }

    /// Runs a call where the page is, and prints its answer. `of_file` answers for a page file.
    async fn print(
        self,
        call: PageCall,
        of_file: impl FnOnce(&Page) -> Result<ShellAnswer, ToolError>,
    ) -> anyhow::Result<ExitCode> {
        let output = self.output;
        Ok(finish(self.answer(call, of_file).await?, output))
    }

    async fn answer(
        self,
        call: PageCall,
        of_file: impl FnOnce(&Page) -> Result<ShellAnswer, ToolError>,
    ) -> anyhow::Result<Result<ShellAnswer, CallFailure>> {
        // Otherwise a page would be loaded first.
        if let Err(error) = call.check() {
            return Ok(Err(failure(error)));
        }
        match self.place {
            Place::Session(shared) => shell::ask(&shared, call).await,
            Place::Url(page) => {
                on_live_page_with(self.store, page, async |workspace: &Workspace| {
                    Ok(page_call::run(workspace, call, &CancellationToken::new()).await)
                })
                .await
            }
            Place::File(file) => Ok(of_file(&page_from_file(&file)?).map_err(failure)),
        }
    }
}

/// Describes one element.
async fn element(
    first: String,
    second: Option<String>,
    place: PlaceArguments,
) -> anyhow::Result<ExitCode> {
    let (page, element) = page_and_other("element", Some(first), second)?;
    let element = element
        .context("element: give a CSS selector, or a point such as 120,80, after the page")?;
    let request = PageRequest::of(place, page)?;
    let is_number = matches!(ScopeChoice::parse(Some(&element)), Ok(ScopeChoice::Reference(_)));
    if is_number && matches!(request.place, Place::Url(_)) {
        bail!("element: {element} is a number of a session; give a CSS selector or a point");
    }
    let call = PageCall::Element { element: element.clone() };
    let of_file = |page: &Page| Ok(ShellAnswer::of_data(expand_file(page, &element)?));
    request.print(call, of_file).await
}

/// The answer of a command that refuses page files before.
fn no_file(_: &Page) -> Result<ShellAnswer, ToolError> {
    Ok(ShellAnswer::default())
}

fn failure(error: ToolError) -> CallFailure {
    let sentence = error.sentence(hints::COMMAND_LINE);
    CallFailure::new(&error, sentence, None)
}

/// Saves the file of an answer, and prints where it is.
fn saved(answer: &ShellAnswer, file: &Path, output: Output) -> anyhow::Result<ExitCode> {
    let content = answer.file().context("the answer has no file")?;
    write(file, &content)?;
    let (bytes, summary) = (content.len(), answer.text.trim_end());
    let text = format!("wrote {} ({bytes} bytes): {summary}", file.display());
    let mut data = answer.data.clone();
    data["file"] = json!(file);
    print::either(output, &text, &data);
    Ok(ExitCode::SUCCESS)
}
