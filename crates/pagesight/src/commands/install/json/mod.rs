//! Adds the entry to a JSON configuration, which may have comments and trailing commas. The rest of
//! the text stays as it is, because the edited syntax tree holds every byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

use crate::commands::install::agent::{Agent, ENTRY_NAME};
use crate::commands::install::error::InstallError;

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

/// Members of an entry that belong to other transports than `stdio`.
const OTHER_TRANSPORTS: [&str; 4] = ["url", "httpUrl", "serverUrl", "headers"];

/// Returns the text with the entry added or updated.
pub(super) fn with_json_entry(
    agent: Agent,
    text: &str,
    command: &str,
    args: &[String],
) -> Result<String, InstallError> {
    // White space alone is an empty file.
    let text = if text.trim().is_empty() { "" } else { text };
    let root = CstRootNode::parse(text, &JSONC)
        .map_err(|error| InstallError::Syntax { format: "JSON", reason: error.to_string() })?;
    let shape = |key: &str| InstallError::Shape { key: key.to_owned() };
    let whole = root.object_value_or_create().ok_or_else(|| shape("the file"))?;
    let entry = entry(agent, command, args);
    let key = agent.key();
    let Some(servers) = member(&whole, key) else {
        let entry = CstInputValue::Object(entry);
        whole.append(key, CstInputValue::Object(vec![(ENTRY_NAME.to_owned(), entry)]));
        return Ok(root.to_string());
    };
    let servers = servers.object_value().ok_or_else(|| shape(key))?;
    let Some(old) = member(&servers, ENTRY_NAME) else {
        servers.append(ENTRY_NAME, CstInputValue::Object(entry));
        return Ok(root.to_string());
    };
    let old = old.object_value().ok_or_else(|| shape(&format!("{key}.{ENTRY_NAME}")))?;
    let typed = if agent.wants_type() { None } else { Some("type") };
    for name in OTHER_TRANSPORTS.into_iter().chain(typed) {
        while let Some(other) = member(&old, name) {
            other.remove();
        }
    }
    for (name, value) in entry {
        match member(&old, &name) {
            Some(known) if known.value().is_some_and(|known| is_same(&known, &value)) => {}
            Some(known) => known.set_value(value),
            None => {
                old.append(&name, value);
            }
        }
    }
    Ok(root.to_string())
}

/// Returns the members of the entry.
fn entry(agent: Agent, command: &str, args: &[String]) -> Vec<(String, CstInputValue)> {
    let args = args.iter().map(|arg| arg.as_str().into()).collect();
    let typed = agent.wants_type().then(|| ("type", "stdio".into()));
    let rest = [("command", command.into()), ("args", CstInputValue::Array(args))];
    typed.into_iter().chain(rest).map(|(key, value)| (key.to_owned(), value)).collect()
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
