//! `page_log`: lists what the console and the network of a page said, or describes one request.

use pagesight_session::{LogKind, LogLevel, LogList, LogQuery, LogSince, Session, TabRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::answer::Answer;
use super::error::{ArgumentError, ToolError};
use super::operation::{Effect, Operation, ToolResult};
use super::output_file::{OutputTarget, count};
use super::token_limit::token_limit;
use super::words::{LOG_KINDS, LOG_SINCE, one_of};
use super::workspace::Workspace;

/// The default limit of an answer, in tokens.
const DEFAULT_TOKENS: usize = 1_000;
/// The longest text to search for, in characters.
const LONGEST_MATCH: usize = 500;

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogParameters {
    #[arg(
        long,
        value_parser = one_of::<LogKind>(LOG_KINDS),
        help = "Only messages of the console, or only requests",
        conflicts_with = "request"
    )]
    #[schemars(with = "Option<String>", extend("enum" = LOG_KINDS))]
    kind: Option<LogKind>,
    #[arg(
        long,
        help = "Only entries of at least this level; failed requests are errors",
        conflicts_with = "request"
    )]
    level: Option<LogLevelChoice>,
    #[arg(
        long = "match",
        value_name = "TEXT",
        help = "Only entries that contain this text",
        conflicts_with = "request"
    )]
    #[serde(rename = "match")]
    matching: Option<String>,
    #[arg(
        long,
        value_parser = one_of::<LogSince>(LOG_SINCE),
        help = "Only entries since the last navigation (default), the last answer of log, or the start of the tab",
        conflicts_with = "request"
    )]
    #[schemars(with = "Option<String>", extend("enum" = LOG_SINCE))]
    since: Option<LogSince>,
    /// such as r7: headers, timing, bodies
    #[arg(
        long,
        value_name = "ID",
        help = "Describe one entry: r7 with its headers, timing and bodies, e12 with its stack"
    )]
    request: Option<String>,
    #[arg(
        long,
        value_name = "N",
        help = "The token limit of the answer: 1000 by default, at least 200"
    )]
    max_tokens: Option<usize>,
    #[arg(skip)]
    path: Option<String>,
    #[arg(skip)]
    #[serde(default)]
    overwrite: bool,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

// The levels that callers name; the console has more. A doc comment would go into the schema.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum LogLevelChoice {
    Error,
    Warning,
    Info,
    Debug,
}

impl LogParameters {
    fn tokens(&self) -> Result<usize, ArgumentError> {
        token_limit(self.max_tokens, DEFAULT_TOKENS, &self.path, "a log")
    }

    /// Checks what can be checked without a page.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        self.tokens()?;
        self.query()?;
        self.entry()?;
        Ok(())
    }

    fn query(&self) -> Result<LogQuery, ArgumentError> {
        let matching = self.matching.as_deref().filter(|text| !text.trim().is_empty());
        if matching.is_some_and(|text| text.chars().count() > LONGEST_MATCH) {
            return Err(ArgumentError::LongMatch { most: LONGEST_MATCH });
        }
        Ok(LogQuery {
            kind: self.kind.unwrap_or_default(),
            level: self.level.map(|level| match level {
                LogLevelChoice::Error => LogLevel::Error,
                LogLevelChoice::Warning => LogLevel::Warning,
                LogLevelChoice::Info => LogLevel::Info,
                LogLevelChoice::Debug => LogLevel::Debug,
            }),
            matching: matching.map(str::to_owned),
            since: self.since.unwrap_or_default(),
        })
    }

    /// Returns the entry to describe, if one was given. The parameters that choose entries are of
    /// no use then.
    pub(crate) fn entry(&self) -> Result<Option<&str>, ArgumentError> {
        let chooses = self.kind.is_some()
            || self.level.is_some()
            || self.matching.is_some()
            || self.since.is_some();
        if self.request.is_some() && chooses {
            return Err(ArgumentError::EntryAndChoice);
        }
        Ok(self.request.as_deref())
    }
}

/// Lists the entries that are wanted.
pub(crate) async fn list(
    session: &Session,
    tab: &Arc<TabRecord>,
    parameters: &LogParameters,
) -> Result<LogList, ToolError> {
    Ok(session.page_log(tab, &parameters.query()?, parameters.tokens()?).await?)
}

pub(crate) async fn describe(
    session: &Session,
    tab: &Arc<TabRecord>,
    entry: &str,
    parameters: &LogParameters,
) -> Result<String, ToolError> {
    Ok(session.log_entry(tab, entry, parameters.tokens()?).await?)
}

pub(crate) struct Log;

impl Operation for Log {
    const NAME: &'static str = "page_log";
    const DESCRIPTION: &'static str =
        "Console and network of the tab, errors first, since the navigation. Default 1000 tokens.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = LogParameters;

    async fn run(workspace: &Workspace, parameters: LogParameters) -> ToolResult {
        let entry = parameters.entry()?;
        parameters.tokens()?;
        parameters.query()?;
        let target = OutputTarget::of(workspace, parameters.path.as_deref(), parameters.overwrite)?;
        let tab = workspace.tab(&parameters.tab).await?;
        let text = match entry {
            Some(entry) => describe(&workspace.session, &tab, entry, &parameters).await?,
            None => list(&workspace.session, &tab, &parameters).await?.text,
        };
        let Some(target) = target else { return Ok(Answer::text(text)) };
        let summary = format!("log of {}, {}", tab.id, count(&text));
        target.write(workspace, Answer::text(text), &summary).await
    }
}
