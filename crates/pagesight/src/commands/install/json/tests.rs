//! Checks that editing a JSON configuration keeps its comments, commas and layout.

use serde_json::{Value, json};

use crate::commands::install::agent::Agent;
use crate::commands::install::tests::add;

#[test]
fn json_around_the_entry_stays_byte_for_byte() {
    let existing = r#"{
    "theme" : "dark",   "big": 12345678901234567890123, "cost": 1.10,
    "mcpServers": {
        "other": { "command": "npx", "args": ["-y", "x"] },
        "third": {}
    },
    "last": null
}"#;
    let expected = r#"{
    "theme" : "dark",   "big": 12345678901234567890123, "cost": 1.10,
    "mcpServers": {
        "other": { "command": "npx", "args": ["-y", "x"] },
        "third": {},
        "pagesight": {
            "type": "stdio",
            "command": "/opt/pagesight",
            "args": ["mcp"]
        }
    },
    "last": null
}"#;
    assert_eq!(add(Agent::Claude, existing), expected);
}

#[test]
fn empty_objects_are_filled() {
    let whole = add(Agent::VsCode, "");
    assert_eq!(add(Agent::VsCode, "{}\n"), whole);
    assert_eq!(add(Agent::VsCode, "{\n  \"servers\": {}\n}\n"), whole);
    assert_eq!(add(Agent::VsCode, "{\n  \"servers\": {\n  }\n}\n"), whole);
}

#[test]
fn an_older_entry_is_brought_up_to_date_and_keeps_what_the_user_added() {
    let existing = r#"{
  "mcpServers": {
    "pagesight": {"command": "/old", "env": {"A": "b"}, "args": ["mcp", "--headed"], "disabled": false},
    "after": {"command": "z"}
  }
}"#;
    let expected = r#"{
  "mcpServers": {
    "pagesight": {
      "command": "/opt/pagesight",
      "env": {"A": "b"},
      "args": ["mcp"],
      "disabled": false,
      "type": "stdio"
    },
    "after": {"command": "z"}
  }
}"#;
    assert_eq!(add(Agent::Claude, existing), expected);
}

#[test]
fn the_last_of_two_equal_keys_counts_as_it_does_for_the_agent() {
    let existing = r#"{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}"#;
    let value: Value = serde_json::from_str(&add(Agent::Claude, existing)).unwrap();
    assert_eq!(value["mcpServers"]["pagesight"]["command"], "/opt/pagesight");
    assert_eq!(value["mcpServers"]["b"], json!({}));
}

#[test]
fn comments_and_trailing_commas_stay() {
    let existing = r#"// My servers.
{
  "inputs": [], // none
  "servers": {
    "a": { "command": "//x", "args": ["\"/*",] }, // one
    /* two */ "b": {}, // three
    // "c": {},
  }, // four
  // five
}
/* six */
"#;
    let expected = existing.replace(
        "// three\n",
        r#"// three
    "pagesight": {
      "type": "stdio",
      "command": "/opt/pagesight",
      "args": ["mcp"],
    },
"#,
    );
    assert_eq!(add(Agent::VsCode, existing), expected);

    let existing = "{\n  \"a\": 1 // last\n  // below\n}\n";
    let expected = r#"{
  "a": 1, // last
  "mcpServers": {
    "pagesight": {
      "command": "/opt/pagesight",
      "args": ["mcp"]
    }
  }
  // below
}
"#;
    assert_eq!(add(Agent::Gemini, existing), expected, "no trailing comma where none is used");
}

#[test]
fn objects_with_nothing_but_comments_are_filled() {
    let entry = r#"    "pagesight": {
      "type": "stdio",
      "command": "/opt/pagesight",
      "args": ["mcp"]
    }
"#;
    let existing = "{\n  // mine\n  \"mcpServers\": {\n    // nothing yet\n  }\n}\n";
    let expected = existing.replace("yet\n", &format!("yet\n{entry}"));
    assert_eq!(add(Agent::Cursor, existing), expected);
    let expected = format!("// mine\n{{\n  \"mcpServers\": {{\n{entry}  }}\n}}\n");
    assert_eq!(add(Agent::Cursor, "// mine\n"), expected, "a file that is one comment");
}

#[test]
fn an_older_entry_keeps_its_comments() {
    let existing = r#"{
  "servers": {
    "pagesight": {
      // where it is
      "command": "/old", // moved
      "url": "http://x/mcp",
      "env": { "A": "b" }, /* mine */
      "args": ["mcp", "--headed"],
    },
  },
}
"#;
    let expected = r#"{
  "servers": {
    "pagesight": {
      // where it is
      "command": "/opt/pagesight", // moved
      "env": { "A": "b" }, /* mine */
      "args": ["mcp"],
      "type": "stdio",
    },
  },
}
"#;
    assert_eq!(add(Agent::VsCode, existing), expected);
    let existing = "{\"mcpServers\": {\"pagesight\": {\"command\": \"/opt/pagesight\", \"args\": [\"mcp\", /* it */],}}}";
    assert_eq!(add(Agent::Gemini, existing), existing, "an entry that is right stays");
}
