//! Adds the entry to a TOML configuration. Comments and order stay as they are.

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

use super::agent::{Agent, ENTRY_NAME};
use super::error::InstallError;

pub(super) fn with_toml_entry(
    agent: Agent,
    text: &str,
    command: &str,
    args: &[String],
) -> Result<String, InstallError> {
    let syntax = |reason: toml_edit::TomlError| InstallError::Syntax {
        format: "TOML",
        reason: reason.to_string().lines().next().unwrap_or_default().to_owned(),
    };
    let key = agent.key();
    let document: DocumentMut = text.parse().map_err(syntax)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let servers = document.get(key);
    let is_new = servers.and_then(|servers| servers.get(ENTRY_NAME)).is_none();
    if is_new && servers.is_none_or(Item::is_table) {
        let entry =
            edit_toml(agent, DocumentMut::new(), command, args)?.to_string().replace('\n', newline);
        let gap = match text.trim_end() {
            "" => return Ok(entry),
            _ if text.ends_with('\n') => newline.to_owned(),
            _ => newline.repeat(2),
        };
        return Ok([text, &gap, &entry].concat());
    }
    let before = document.to_string();
    let after = edit_toml(agent, document, command, args)?.to_string();
    if after == before {
        return Ok(text.to_owned());
    }
    // The parser turns every line end into "\n".
    Ok(after.replace("\r\n", "\n").replace('\n', newline))
}

fn edit_toml(
    agent: Agent,
    mut document: DocumentMut,
    command: &str,
    args: &[String],
) -> Result<DocumentMut, InstallError> {
    let key = agent.key();
    let servers = document.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        // [mcp_servers.pagesight] needs no [mcp_servers] above it.
        table.set_implicit(true);
        Item::Table(table)
    });
    let inline = servers.is_inline_table();
    let servers =
        servers.as_table_like_mut().ok_or_else(|| InstallError::Shape { key: key.to_owned() })?;
    let ours = servers.entry(ENTRY_NAME).or_insert_with(|| {
        if inline { Item::Value(InlineTable::new().into()) } else { Item::Table(Table::new()) }
    });
    let shape = || InstallError::Shape { key: format!("{key}.{ENTRY_NAME}") };
    let ours = ours.as_table_like_mut().ok_or_else(shape)?;
    // An entry has one transport; these keys belong to HTTP.
    for other in ["url", "bearer_token_env_var", "http_headers", "env_http_headers"] {
        ours.remove(other);
    }
    let args: toml_edit::Array = args.iter().collect();
    set(ours, "command", command.into());
    set(ours, "args", args.into());
    Ok(document)
}

/// Sets a value unless it is already set. Keeps the comment after it.
fn set(table: &mut dyn TableLike, key: &str, mut value: toml_edit::Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        if plain(old) == plain(&value) {
            return;
        }
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(key, Item::Value(value));
}

/// Returns the strings of a value without white space and comments, for comparisons.
fn plain(value: &toml_edit::Value) -> Option<Vec<&str>> {
    match value {
        toml_edit::Value::Array(items) => items.iter().map(toml_edit::Value::as_str).collect(),
        _ => value.as_str().map(|text| vec![text]),
    }
}
