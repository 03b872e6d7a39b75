//! Writes the entry for the MCP registry, `server.json`. It offers npm and PyPI, which choose the
//! platform; a bundle is for one platform, and the registry cannot say which.

use serde_json::{Value, json};

use super::release::{DESCRIPTION, REPOSITORY, VERSION};

/// The name under which the MCP registry knows the server.
pub const NAME: &str = "io.github.pagesight/pagesight";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// Returns the text of the entry.
pub fn entry() -> anyhow::Result<String> {
    let package = |registry: &str, runtime: &str| -> Value {
        json!({
            "registryType": registry,
            "identifier": "pagesight",
            "version": VERSION,
            "runtimeHint": runtime,
            "transport": {"type": "stdio"},
            "packageArguments": [{"type": "positional", "value": "mcp"}],
        })
    };
    let entry = json!({
        "$schema": SCHEMA,
        "name": NAME,
        "title": "pagesight",
        "description": DESCRIPTION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "version": VERSION,
        "packages": [package("npm", "npx"), package("pypi", "uvx")],
    });
    anyhow::ensure!(DESCRIPTION.len() <= 100, "the registry allows descriptions of 100 characters");
    Ok(format!("{}\n", serde_json::to_string_pretty(&entry)?))
}
