//! Formats the tools: a table of all, and a page with the parameters of each.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde_json::Value;

use super::text::wrapped;
use super::{example, meanings};

/// Returns the list of tools and the page of each, with its description and its parameters. Fails
/// if a cell would be empty.
pub fn pages(tools: &[Value]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut pages = BTreeMap::new();
    let mut rows = String::new();
    for tool in tools {
        let name = text(tool, "name");
        let about = first_sentence(text(tool, "description")).replace('|', "\\|");
        rows.push_str(&format!("| [`{name}`](tools/{name}.md) | {about} |\n"));
        let mut page = format!("# {name}\n\n{}\n", wrapped(text(tool, "description")));
        page.push_str(example::HEADING);
        page.push_str("## Parameters\n");
        let parameters = parameters(name, "", &tool["inputSchema"]);
        ensure!(
            !parameters.contains("|  |"),
            "{name}: a cell is empty; xtask/src/docs/meanings.rs has meanings:\n{parameters}"
        );
        if !parameters.is_empty() {
            page.push_str("\n| parameter | type | meaning |\n|---|---|---|\n");
            page.push_str(&parameters);
        }
        page.push_str("\n[All tools](../tools.md) · [What the answers mean](../answers.md)\n");
        pages.insert(format!("docs/tools/{name}.md"), page);
    }
    let list = format!(
        "# Tools\n\nWhat an MCP client sees. Each tool has a page with its parameters. The whole \
         list takes fewer\nthan 2,400 tokens. `browser_evaluate` only reads, unless \
         `--allow-evaluate` is given\n([what the answers mean](answers.md#reading-with-javascript)).\n\n| tool | what it does |\n|---|---|\n{rows}"
    );
    pages.insert("docs/tools.md".to_owned(), list);
    Ok(pages)
}

/// Returns one row per property of a schema; the properties of an object follow it.
fn parameters(tool: &str, above: &str, schema: &Value) -> String {
    let mut rows = String::new();
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{above}{name}");
        let described = text(property, "description");
        let mut meaning = meanings::of(tool, &path, described).to_owned();
        if let Some(default) = property.get("default").filter(|default| !default.is_null()) {
            let gap = if meaning.is_empty() { "" } else { "; " };
            meaning.push_str(&format!("{gap}default `{default}`"));
        }
        let must = if required(name) { ", required" } else { "" };
        rows.push_str(&format!(
            "| `{path}` | {}{must} | {} |\n",
            kind_or_known(property, name),
            meaning.replace('|', "\\|")
        ));
        rows.push_str(&parameters(tool, &format!("{path}."), property));
        rows.push_str(&parameters(tool, &format!("{path}[]."), &property["items"]));
    }
    rows
}

/// Returns the type of a property. The schema leaves out that of the ends of a drag.
fn kind_or_known(property: &Value, name: &str) -> String {
    match (kind(property), name) {
        (kind, "from" | "to") if kind.is_empty() => "string or object".to_owned(),
        (kind, _) => kind,
    }
}

/// Returns the type of a property, or its values.
fn kind(property: &Value) -> String {
    if let Some(values) = property["enum"].as_array() {
        let values = values.iter().filter_map(Value::as_str);
        return values.map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", kind_of_items(property)),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            kinds.collect::<Vec<_>>().join(" or ")
        }
        _ => {
            let any = property["anyOf"].as_array().or(property["oneOf"].as_array());
            let kinds = any.into_iter().flatten().map(kind).filter(|kind| !kind.is_empty());
            kinds.filter(|kind| kind != "null").collect::<Vec<_>>().join(" or ")
        }
    }
}

fn kind_of_items(property: &Value) -> String {
    match kind(&property["items"]).as_str() {
        "" => "values".to_owned(),
        "object" => "objects".to_owned(),
        kind => kind.to_owned(),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Returns the text up to the first full stop, without it.
fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").unwrap_or(text.len());
    text[..end].trim_end_matches('.')
}
