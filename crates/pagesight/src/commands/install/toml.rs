//! Adds the entry to a TOML configuration and removes it. Comments and order stay as they are.

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike};

use super::agent::{Agent, ENTRY_NAME, ServerEntry, TOKEN_VARIABLE};
use super::error::{invalid, not_a_table};

pub(super) fn with_toml_entry(
    agent: Agent,
    text: &str,
    entry: &ServerEntry,
) -> anyhow::Result<String> {
    let key = agent.key();
    let document = parse(text)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let servers = document.get(key);
    let is_new = servers.and_then(|servers| servers.get(ENTRY_NAME)).is_none();
    if is_new && servers.is_none_or(Item::is_table) {
        let entry = edit_toml(agent, DocumentMut::new(), entry)?.to_string().replace('\n', newline);
        let gap = match text.trim_end() {
            "" => return Ok(entry),
            _ if text.ends_with('\n') => newline.to_owned(),
            _ => newline.repeat(2),
        };
        return Ok([text, &gap, &entry].concat());
    }
    let before = document.to_string();
    let after = edit_toml(agent, document, entry)?.to_string();
    if after == before {
        return Ok(text.to_owned());
    }
    // The parser turns every line end into "\n".
    Ok(after.replace("\r\n", "\n").replace('\n', newline))
}

/// Returns the text without the entry, or nothing if it has none.
pub(super) fn without_toml_entry(agent: Agent, text: &str) -> anyhow::Result<Option<String>> {
    let mut document = parse(text)?;
    let servers = document.get_mut(agent.key()).and_then(Item::as_table_like_mut);
    if servers.and_then(|servers| servers.remove(ENTRY_NAME)).is_none() {
        return Ok(None);
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let removed = document.to_string().replace("\r\n", "\n").replace('\n', newline);
    // Cutting lines keeps the comments around the entry; it is right if it leaves the same values.
    let values = |text: &str| toml_edit::de::from_str::<serde_json::Value>(text).ok();
    let cut = without_lines(agent, text);
    Ok(Some(if values(&cut) == values(&removed) { cut } else { removed }))
}

/// Removes the lines of the entry's tables. Comments above and below them stay.
fn without_lines(agent: Agent, text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_header = |line: &str| line.trim_start().starts_with('[');
    let is_ours = |line: &str| {
        let header = line.parse::<DocumentMut>().ok();
        header.is_some_and(|header| {
            header.get(agent.key()).and_then(|servers| servers.get(ENTRY_NAME)).is_some()
        })
    };
    let is_filler = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !is_header(lines[at]) || !is_ours(lines[at]) {
            kept.push(lines[at]);
            at += 1;
            continue;
        }
        let next = lines[at + 1..].iter().position(|line| is_header(line));
        let mut end = next.map_or(lines.len(), |next| at + 1 + next);
        while is_filler(lines[end - 1]) {
            end -= 1;
        }
        // One of the empty lines around the entry goes with it.
        if kept.last().is_some_and(|line| line.trim().is_empty()) {
            kept.pop();
        }
        at = end;
    }
    kept.concat()
}

fn parse(text: &str) -> anyhow::Result<DocumentMut> {
    text.parse().map_err(|reason: toml_edit::TomlError| {
        invalid("TOML", reason.to_string().lines().next().unwrap_or_default())
    })
}

fn edit_toml(
    agent: Agent,
    mut document: DocumentMut,
    entry: &ServerEntry,
) -> anyhow::Result<DocumentMut> {
    let key = agent.key();
    let servers = document.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        // [mcp_servers.pagesight] needs no [mcp_servers] above it.
        table.set_implicit(true);
        Item::Table(table)
    });
    let inline = servers.is_inline_table();
    let servers = servers.as_table_like_mut().ok_or_else(|| not_a_table(key))?;
    let ours = servers.entry(ENTRY_NAME).or_insert_with(|| {
        if inline { Item::Value(InlineTable::new().into()) } else { Item::Table(Table::new()) }
    });
    let shape = || not_a_table(&format!("{key}.{ENTRY_NAME}"));
    let ours = ours.as_table_like_mut().ok_or_else(shape)?;
    // An entry has one transport, and Codex refuses the keys of the other.
    let others: &[&str] = match entry {
        ServerEntry::Stdio { .. } => {
            &["url", "bearer_token_env_var", "http_headers", "env_http_headers"]
        }
        ServerEntry::Http { .. } => &["command", "args", "env", "env_vars", "cwd"],
    };
    for other in others {
        ours.remove(other);
    }
    match entry {
        ServerEntry::Stdio { command, args } => {
            let args: toml_edit::Array = args.iter().collect();
            set(ours, "command", command.as_str().into());
            set(ours, "args", args.into());
        }
        ServerEntry::Http { url } => {
            set(ours, "url", url.as_str().into());
            set(ours, "bearer_token_env_var", TOKEN_VARIABLE.into());
        }
    }
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
