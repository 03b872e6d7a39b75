//! `read_rows`: shows tables, grids, lists and repeated cards as rows.

use std::path::Path;
use std::time::Duration;

use pagesight_core::page::Page;
use pagesight_core::rows::print::{RowsFormat, RowsOptions};
use pagesight_core::rows::query::RowsQuery;
use pagesight_core::rows::{RowsRead, RowsRequest, read_page_rows};
use pagesight_session::{FurtherPages, GivenElement, PagesRequest, ScopeChoice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::error::{ArgumentError, ToolError};
use super::operation::{Effect, Operation, ToolResult};
use super::output_file::OutputTarget;
use super::page_file::{number_whole_page, scope_of};
use super::token_limit::token_limit;
use super::words::{FURTHER_PAGES, ROW_FORMATS, one_of};
use super::workspace::Workspace;
use crate::hints::COMMAND_LINE;

/// The default limit of an answer, in tokens.
const DEFAULT_TOKENS: usize = 1_000;
/// How many rows an answer has by default.
const DEFAULT_ROWS: usize = 20;
/// How many pages and rows a call reads by default, and at most.
const DEFAULT_PAGES: usize = 10;
const MOST_PAGES: usize = 1_000;
const DEFAULT_READ: usize = 10_000;
const MOST_READ: usize = 100_000;

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowsParameters {
    #[arg(
        long,
        help = "What holds the rows: a number from an outline or a CSS selector; by default the largest structure of the main content"
    )]
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    scope: Option<String>,
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help = "Only these columns, with commas between them"
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    /// `State = failed and Amount > 100`; also contains, is empty
    #[arg(
        long = "where",
        value_name = "CONDITIONS",
        help = "Only rows that meet conditions: 'State = failed and Amount > 100'; operators are =, !=, <, <=, >, >=, contains and is empty"
    )]
    #[serde(rename = "where")]
    filter: Option<String>,
    /// "Amount desc"
    #[arg(long, value_name = "COLUMN", help = "Sort by a column: Amount, or 'Amount desc'")]
    order_by: Option<String>,
    /// count or sum(Amount), by State
    #[arg(
        long,
        value_name = "AMOUNT",
        help = "Print amounts instead of rows: count, sum(COLUMN), several with commas; by COLUMN for groups"
    )]
    aggregate: Option<String>,
    #[arg(long, value_name = "N", help = "The most rows: 20 by default")]
    limit: Option<usize>,
    #[arg(
        long,
        value_name = "N",
        help = "The token limit of the answer: 1000 by default, at least 200"
    )]
    max_tokens: Option<usize>,
    /// go on after so many rows
    #[arg(long, value_name = "N", help = "Leave out the first N rows, which were printed before")]
    after: Option<usize>,
    /// further rows, too
    #[arg(long, value_parser = one_of::<PagesChoice>(FURTHER_PAGES), help = "Also read the rows that come when the list is scrolled, or those of the next pages")]
    #[schemars(with = "Option<String>", extend("enum" = FURTHER_PAGES))]
    pages: Option<PagesChoice>,
    /// its control
    #[arg(
        long,
        value_name = "TARGET",
        help = "The control that shows the next page, if it is not found: a number from an outline, its name, or a CSS selector"
    )]
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    next: Option<String>,
    #[arg(
        long,
        value_name = "N",
        help = "The most pages that --pages next reads: 10 by default, at most 1000"
    )]
    max_pages: Option<usize>,
    #[arg(
        long,
        value_name = "N",
        help = "The most rows that --pages reads: 10000 by default, at most 100000"
    )]
    max_rows: Option<usize>,
    #[arg(long, value_parser = one_of::<RowsFormat>(ROW_FORMATS), help = "The format; by default text, or what the name of the file says")]
    #[schemars(with = "Option<String>", extend("enum" = ROW_FORMATS))]
    format: Option<RowsFormat>,
    /// all rows to a file
    #[arg(skip)]
    path: Option<String>,
    #[arg(skip)]
    #[serde(default)]
    overwrite: bool,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

/// How the pages after the first are reached, as callers write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PagesChoice {
    Scroll,
    Next,
}

impl RowsParameters {
    /// Checks what can be checked without a page.
    pub(crate) fn check(&self, file: Option<&Path>) -> Result<(), ToolError> {
        self.query()?;
        self.options(file)?;
        self.pages(&ScopeChoice::parse(self.scope.as_deref())?)?;
        Ok(())
    }

    /// Returns which pages are read; none if only the rows that are there now.
    fn pages(&self, scope: &ScopeChoice) -> Result<Option<PagesRequest>, ArgumentError> {
        let given = [
            ("next", self.next.is_some()),
            ("max_pages", self.max_pages.is_some()),
            ("max_rows", self.max_rows.is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
        let further = match (self.pages, given.next()) {
            (None, None) => return Ok(None),
            (None, Some(parameter)) => return Err(ArgumentError::OnlyWithPages { parameter }),
            (Some(PagesChoice::Scroll), Some(parameter @ ("next" | "max_pages"))) => {
                return Err(ArgumentError::OnlyWithNext { parameter });
            }
            (Some(PagesChoice::Scroll), _) => FurtherPages::Scroll,
            (Some(PagesChoice::Next), _) => {
                FurtherPages::Next(self.next.as_deref().map(next_control).transpose()?)
            }
        };
        if *scope == ScopeChoice::Viewport {
            return Err(ArgumentError::PagesOfViewport);
        }
        let in_range = |parameter, given: Option<usize>, default, most| match given {
            Some(given) if given == 0 || given > most => {
                Err(ArgumentError::OutOfRange { parameter, given, most })
            }
            given => Ok(given.unwrap_or(default)),
        };
        Ok(Some(PagesRequest {
            further,
            most_pages: in_range("max_pages", self.max_pages, DEFAULT_PAGES, MOST_PAGES)?,
            most_rows: in_range("max_rows", self.max_rows, DEFAULT_READ, MOST_READ)?,
            goes_on: self.after.is_some(),
        }))
    }

    fn query(&self) -> Result<RowsQuery, ArgumentError> {
        if self.aggregate.is_some() && !self.columns.is_empty() {
            return Err(ArgumentError::ColumnsOfAmount);
        }
        Ok(RowsQuery {
            columns: self.columns.clone(),
            filter: self.filter.clone(),
            order_by: self.order_by.clone(),
            aggregate: self.aggregate.clone(),
        })
    }

    /// Returns the options of an answer, or of the file that all rows go to.
    fn options(&self, file: Option<&Path>) -> Result<RowsOptions, ArgumentError> {
        if self.limit == Some(0) {
            return Err(ArgumentError::NoRowsWanted);
        }
        // With further pages, after says that a reading goes on.
        let skips = self.after.is_some() && self.pages.is_none();
        if file.is_some() && (self.limit.is_some() || skips) {
            return Err(ArgumentError::RowsOfFile);
        }
        let format = match file {
            Some(file) => self.format_of(file)?,
            None => self.format.unwrap_or_default(),
        };
        Ok(RowsOptions {
            format,
            limit: self.limit.unwrap_or(DEFAULT_ROWS),
            after: self.after.unwrap_or(0),
            max_tokens: token_limit(self.max_tokens, DEFAULT_TOKENS, &None, "rows")?,
            ..RowsOptions::default()
        })
    }

    /// Returns the format that the name of a file says, which a given one must not contradict.
    fn format_of(&self, file: &Path) -> Result<RowsFormat, ArgumentError> {
        let named = RowsFormat::of_file(&file.to_string_lossy())
            .ok_or_else(|| ArgumentError::RowsName { file: file.to_owned() })?;
        match self.format {
            Some(given) if given != named => Err(ArgumentError::RowsFormat {
                file: file.to_owned(),
                named: named.as_str(),
                given: given.as_str(),
            }),
            _ => Ok(named),
        }
    }
}

/// Reads the rows of a live page. `file`: the name of the file that all rows go to.
pub(crate) async fn read(
    workspace: &Workspace,
    parameters: &RowsParameters,
    file: Option<&Path>,
) -> Result<(RowsRead, RowsFormat), ToolError> {
    let scope = ScopeChoice::parse(parameters.scope.as_deref())?;
    let (query, options) = (parameters.query()?, parameters.options(file)?);
    let pages = parameters.pages(&scope)?;
    let tab = workspace.tab(&parameters.tab).await?;
    let request = RowsRequest { query: &query, options, to_file: file.is_some() };
    let read = match &pages {
        Some(pages) => workspace.session.rows_of_pages(&tab, &scope, pages, request).await?,
        None => workspace.session.rows(&tab, &scope, request).await?,
    };
    Ok((read, options.format))
}

/// Reads the control for the next page as a target; a text that can only be a selector is one.
fn next_control(given: &str) -> Result<GivenElement, ArgumentError> {
    let given = given.trim();
    let target = match ScopeChoice::parse(Some(given)) {
        Ok(ScopeChoice::Reference(reference)) => return Ok(GivenElement::Reference(reference)),
        _ if given.is_empty() => return Err(ArgumentError::EmptyNext),
        _ if given.starts_with(['.', '#', '[']) || given.ends_with(']') => format!("css={given}"),
        _ => given.to_owned(),
    };
    Ok(GivenElement::named(&target, None, None)?)
}

/// Reads the rows of a page file.
pub(crate) fn read_file(
    page: &Page,
    parameters: &RowsParameters,
    file: Option<&Path>,
) -> Result<(RowsRead, RowsFormat), ToolError> {
    let mut numbers = number_whole_page(page);
    let scope = ScopeChoice::parse(parameters.scope.as_deref())?;
    if parameters.pages(&scope)?.is_some() {
        return Err(ArgumentError::PagesOfFile.into());
    }
    let scope = scope_of(page, &scope, &numbers)?;
    let query = parameters.query()?;
    let options = RowsOptions { wording: COMMAND_LINE, ..parameters.options(file)? };
    let request = RowsRequest { query: &query, options, to_file: file.is_some() };
    let read = read_page_rows(page, scope, request, &mut numbers).map_err(ToolError::Rows)?;
    Ok((read, options.format))
}

pub(crate) struct ReadRows;

impl Operation for ReadRows {
    const NAME: &'static str = "read_rows";
    const DESCRIPTION: &'static str =
        "Read a table, list or cards as rows: filter, sort, count, sum.";
    /// It scrolls and opens next pages.
    const EFFECT: Effect = Effect::Steers;
    const LIMIT: Duration = Duration::from_secs(50);
    type Parameters = RowsParameters;

    async fn run(workspace: &Workspace, parameters: RowsParameters) -> ToolResult {
        let target = OutputTarget::of(workspace, parameters.path.as_deref(), parameters.overwrite)?;
        let file = parameters.path.as_deref().map(Path::new);
        let (read, format) = read(workspace, &parameters, file).await?;
        let tab = workspace.tab(&parameters.tab).await?;
        let of = |text: String| match format {
            RowsFormat::Json => Answer::json_text(text),
            _ => Answer::text(text),
        };
        let reply = match (target, read.file) {
            (Some(target), Some(rows)) => target.write(workspace, of(rows), &read.text).await?,
            _ => of(read.text),
        };
        Ok(workspace.about(&tab, reply))
    }
}
