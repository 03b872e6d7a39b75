//! Adds the entry to a JSON configuration and removes it. The configuration may have comments and
//! trailing commas. The rest of the text stays as it is, because the edited syntax tree holds every
//! byte.

use anyhow::Context;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

use crate::commands::install::agent::{Agent, ENTRY_NAME, ServerEntry, TOKEN_INPUT};
use crate::commands::install::error::{invalid, not_a_table};

/// JSON with comments and trailing commas, as Visual Studio Code reads it; nothing looser.
const JSONC: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Members of an entry that belong to one transport only.
const OF_STDIO: [&str; 5] = ["command", "args", "env", "envFile", "cwd"];
const OF_HTTP: [&str; 4] = ["url", "httpUrl", "serverUrl", "headers"];

/// The list of values that Visual Studio Code asks for.
const INPUTS: &str = "inputs";

/// Returns the text with the entry added or updated.
pub(super) fn with_json_entry(
    agent: Agent,
    text: &str,
    entry: &ServerEntry,
) -> anyhow::Result<String> {
    // White space alone is an empty file.
    let text = if text.trim().is_empty() { "" } else { text };
    let root = parse(text)?;
    let whole = root.object_value_or_create().ok_or_else(|| not_a_table("the file"))?;
    let wants_input = agent == Agent::VsCode && matches!(entry, ServerEntry::Http { .. });
    if wants_input {
        add_input(&whole)?;
    } else if agent == Agent::VsCode {
        remove_input(&whole);
    }
    let members = members(agent, entry);
    let key = agent.key();
    let Some(servers) = member(&whole, key) else {
        let entry = CstInputValue::Object(members);
        whole.append(key, CstInputValue::Object(vec![(ENTRY_NAME.to_owned(), entry)]));
        return Ok(root.to_string());
    };
    let servers = servers.object_value().ok_or_else(|| not_a_table(key))?;
    let Some(old) = member(&servers, ENTRY_NAME) else {
        servers.append(ENTRY_NAME, CstInputValue::Object(members));
        return Ok(root.to_string());
    };
    let old = old.object_value().ok_or_else(|| not_a_table(&format!("{key}.{ENTRY_NAME}")))?;
    let others: &[&str] = match entry {
        ServerEntry::Stdio { .. } => &OF_HTTP,
        ServerEntry::Http { .. } => &OF_STDIO,
    };
    let is_written = |name: &str| members.iter().any(|(written, _)| written == name);
    let unused = ["type"].iter().chain(&OF_HTTP).filter(|name| !is_written(name));
    for name in others.iter().chain(unused) {
        while let Some(other) = member(&old, name) {
            other.remove();
        }
    }
    merge(&old, members);
    Ok(root.to_string())
}

/// Returns the text without the entry, or nothing if it has none.
pub(super) fn without_json_entry(agent: Agent, text: &str) -> anyhow::Result<Option<String>> {
    let root = parse(text)?;
    let Some(whole) = root.object_value() else { return Ok(None) };
    let Some(servers) = member(&whole, agent.key()).and_then(|servers| servers.object_value())
    else {
        return Ok(None);
    };
    if member(&servers, ENTRY_NAME).is_none() {
        return Ok(None);
    }
    while let Some(ours) = member(&servers, ENTRY_NAME) {
        ours.remove();
    }
    if agent == Agent::VsCode {
        remove_input(&whole);
    }
    Ok(Some(root.to_string()))
}

fn parse(text: &str) -> anyhow::Result<CstRootNode> {
    CstRootNode::parse(text, &JSONC).map_err(|error| invalid("JSON", error))
}

/// Returns the members of the entry.
fn members(agent: Agent, entry: &ServerEntry) -> Vec<(String, CstInputValue)> {
    let all: Vec<(&str, CstInputValue)> = match entry {
        ServerEntry::Stdio { command, args } => {
            let args = args.iter().map(|arg| arg.as_str().into()).collect();
            let typed = agent.wants_type().then(|| ("type", "stdio".into()));
            let rest = [("command", command.as_str().into()), ("args", CstInputValue::Array(args))];
            typed.into_iter().chain(rest).collect()
        }
        ServerEntry::Http { url } => {
            let header = ("Authorization".to_owned(), agent.authorization().as_str().into());
            let headers = ("headers", CstInputValue::Object(vec![header]));
            let url = url.as_str().into();
            match agent {
                // Its `url` is the older transport.
                Agent::Gemini => vec![("httpUrl", url), headers],
                // It derives the transport from `url`.
                Agent::Cursor => vec![("url", url), headers],
                _ => vec![("type", "http".into()), ("url", url), headers],
            }
        }
    };
    all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Sets members of an object and keeps its other members.
fn merge(object: &CstObject, members: Vec<(String, CstInputValue)>) {
    for (name, value) in members {
        let old = member(object, &name);
        let inner = old.as_ref().and_then(CstObjectProp::object_value);
        match (old, value) {
            (Some(_), CstInputValue::Object(members)) if inner.is_some() => {
                if let Some(inner) = inner {
                    merge(&inner, members);
                }
            }
            (Some(old), value) if old.value().is_some_and(|old| is_same(&old, &value)) => {}
            (Some(old), value) => old.set_value(value),
            (None, value) => {
                object.append(&name, value);
            }
        }
    }
}

/// Makes Visual Studio Code ask for the token.
fn add_input(whole: &CstObject) -> anyhow::Result<()> {
    let text = |text: &str| CstInputValue::from(text);
    let fields = [
        ("type", text("promptString")),
        ("id", text(TOKEN_INPUT)),
        ("description", text("The token of pagesight serve")),
        ("password", CstInputValue::Bool(true)),
    ];
    let input = CstInputValue::Object(fields.map(|(key, value)| (key.to_owned(), value)).into());
    match member(whole, INPUTS) {
        None => {
            whole.append(INPUTS, CstInputValue::Array(vec![input]));
        }
        Some(inputs) => {
            let inputs = inputs
                .array_value()
                .with_context(|| format!("{INPUTS} is not a list; repair it and try again"))?;
            if !inputs.elements().iter().any(is_our_input) {
                inputs.append(input);
            }
        }
    }
    Ok(())
}

fn remove_input(whole: &CstObject) {
    let inputs = member(whole, INPUTS).and_then(|inputs| inputs.array_value());
    for input in inputs.iter().flat_map(|inputs| inputs.elements()).filter(is_our_input) {
        input.remove();
    }
}

fn is_our_input(input: &CstNode) -> bool {
    let id = input.as_object().and_then(|input| member(&input, "id"));
    id.and_then(|id| id.value()).is_some_and(|id| is_same(&id, &TOKEN_INPUT.into()))
}

/// Finds a member by its name. Of several with the same name the last one counts, as it does for
/// the agents.
fn member(object: &CstObject, name: &str) -> Option<CstObjectProp> {
    let is_it = |member: &CstObjectProp| member.decoded_name().as_deref() == Some(name);
    object.properties().into_iter().rev().find(is_it)
}

/// Compares a string or a list of strings with its new value.
fn is_same(old: &CstNode, new: &CstInputValue) -> bool {
    match new {
        CstInputValue::String(new) => {
            old.as_string_lit().and_then(|old| old.decoded_value().ok()).as_ref() == Some(new)
        }
        CstInputValue::Array(new) => old.as_array().is_some_and(|old| {
            let old = old.elements();
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
