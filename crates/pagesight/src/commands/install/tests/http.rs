//! Checks the entries that connect to `pagesight serve`: each agent's own form, without the token.

use serde_json::{Value, json};

use super::*;

const URL: &str = "http://127.0.0.1:4711/mcp";

fn http() -> ServerEntry {
    ServerEntry::Http { url: URL.to_owned() }
}

fn with_http(agent: Agent, existing: &str) -> String {
    let once = with_entry(agent, Some(existing), &http()).unwrap();
    assert_eq!(with_entry(agent, Some(&once), &http()).unwrap(), once, "a second time");
    once
}

#[test]
fn every_agent_reads_the_token_in_its_own_way() {
    let bearer = |value: &str| json!({ "Authorization": format!("Bearer {value}") });
    for (agent, expected) in [
        (
            Agent::Claude,
            json!({ "type": "http", "url": URL, "headers": bearer("${PAGESIGHT_TOKEN}") }),
        ),
        (Agent::Cursor, json!({ "url": URL, "headers": bearer("${env:PAGESIGHT_TOKEN}") })),
        (Agent::Gemini, json!({ "httpUrl": URL, "headers": bearer("$PAGESIGHT_TOKEN") })),
    ] {
        let value: Value = serde_json::from_str(&with_http(agent, "")).unwrap();
        assert_eq!(value, json!({ "mcpServers": { "pagesight": expected } }), "{agent:?}");
    }
    let value: Value = serde_json::from_str(&with_http(Agent::VsCode, "")).unwrap();
    let input = json!({
        "type": "promptString",
        "id": "pagesight-token",
        "description": "The token of pagesight serve",
        "password": true,
    });
    let headers = bearer("${input:pagesight-token}");
    let server = json!({ "type": "http", "url": URL, "headers": headers });
    assert_eq!(value, json!({ "inputs": [input], "servers": { "pagesight": server } }));
    let expected = format!(
        "[mcp_servers.pagesight]\nurl = \"{URL}\"\nbearer_token_env_var = \"PAGESIGHT_TOKEN\"\n"
    );
    assert_eq!(with_http(Agent::Codex, ""), expected);
}

#[test]
fn an_entry_changes_its_transport_and_back() {
    for agent in Agent::ALL.into_iter().filter(|agent| agent.has_http()) {
        let stdio = add(agent, "");
        let there = with_http(agent, &stdio);
        assert!(!there.contains("command") && !there.contains("\"stdio\""), "{there}");
        let back = add(agent, &there);
        assert!(!back.contains("http") && !back.contains("TOKEN"), "{back}");
        assert!(!back.contains("pagesight-token"), "{back}");
    }
}

#[test]
fn headers_and_inputs_of_the_user_stay() {
    let existing = r#"{
  // asked once
  "inputs": [{ "id": "mine", "type": "promptString" }],
  "servers": { "pagesight": { "type": "http", "url": "http://old", "headers": { "X-Mine": "1" } } }
}
"#;
    let text = with_http(Agent::VsCode, existing);
    for kept in ["// asked once", "\"mine\"", "\"X-Mine\": \"1\"", "pagesight-token", URL] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let refused = with_entry(Agent::VsCode, Some("{\"inputs\": {}}"), &http()).unwrap_err();
    assert_eq!(refused.to_string(), "inputs is not a list; repair it and try again");
}
