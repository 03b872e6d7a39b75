//! Part of `cargo lab find --rows`: the list of users in Django's admin site, page after page. The
//! gold is what the users were made of.

use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;
use tokio::process::Command;

use super::compared::{ComparedKind, report};
use super::gold::Gold;
use super::{BROWSERS, EQUAL, RowsRun};
use crate::install::{apps, folder, run as run_command};
use crate::mcp::{MOST_TOKENS, McpClient};

/// The users besides the administrator: three pages of the site.
const USERS: usize = 229;
const FIRST_NAMES: [&str; 4] = ["Ada", "Bo \"the\" 3rd", "Dé, Jr.", ""];
/// How long the log-in may take.
const LOGIN_LIMIT: Duration = Duration::from_secs(20);
const LIST: &str = "/admin/auth/user/";

/// Makes the users; `{names}` stands for the first names and `{users}` for how many there are.
const SEED: &str = "from django.contrib.auth.models import User\n\
    User.objects.exclude(username='admin').delete()\n\
    names = {names}\n\
    User.objects.bulk_create(User(id=n + 2, username=f'user{n:03}', email=f'u{n}@example.org', \
    first_name=names[n % 4], last_name=f'Last {n}', is_staff=n % 3 == 0, password='!') \
    for n in range({users}))";

/// Reads all users in both browsers.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let mut app = apps::find("Django")?.start().await?;
    let read = read_in_browsers(run, &app.address).await;
    app.end().await;
    Ok(report(read?, EQUAL))
}

async fn read_in_browsers(run: &RowsRun<'_>, address: &str) -> anyhow::Result<Vec<ComparedKind>> {
    let folder = folder()?;
    let seed = SEED.replace("{names}", &json!(FIRST_NAMES).to_string());
    let seed = seed.replace("{users}", &USERS.to_string());
    let mut command = Command::new(folder.join("venv/bin/python"));
    command.args(["django/manage.py", "shell", "--verbosity=0", "-c", &seed]);
    run_command(command.current_dir(&folder)).await.context("the users could not be made")?;
    let mut kinds = Vec::new();
    for browser in BROWSERS {
        let name = format!("{browser}: Django admin, users");
        if !run.includes(&format!("django: {name}")) {
            continue;
        }
        let client = run.client(browser).await?;
        client.open(&format!("{address}/admin/login/?next={LIST}")).await?;
        client.evaluate(apps::LOGIN).await?;
        // The log-in leads to the list. Opened before that, the list would end the log-in.
        let is_there = "document.querySelector('#result_list') !== null";
        let deadline = Instant::now() + LOGIN_LIMIT;
        while client.evaluate(is_there).await.ok() != Some(json!(true)) {
            anyhow::ensure!(Instant::now() < deadline, "the log-in did not lead to the list");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        client.open(&format!("{address}{LIST}")).await?;
        let mut kind = ComparedKind::new(name);
        kind.add("", &gold(), read(&client).await);
        client.close().await?;
        kinds.push(kind);
    }
    Ok(kinds)
}

fn gold() -> Gold {
    let row = |at: usize, name: String, cells: [String; 3], staff: bool| {
        let staff = if staff { "True" } else { "False" };
        let target = format!("{LIST}{at}/change/");
        let [email, first, last] = cells;
        // The site writes a hyphen for nothing.
        let said = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        vec![
            "unchecked".to_owned(),
            name,
            target,
            said(email),
            said(first),
            said(last),
            staff.to_owned(),
        ]
    };
    let admin = ["admin@example.org".to_owned(), String::new(), String::new()];
    let mut rows = vec![row(1, "admin".to_owned(), admin, true)];
    for at in 0..USERS {
        let first = FIRST_NAMES[at % FIRST_NAMES.len()].to_owned();
        let cells = [format!("u{at}@example.org"), first, format!("Last {at}")];
        rows.push(row(at + 2, format!("user{at:03}"), cells, at % 3 == 0));
    }
    // As people see them: the style sheet writes heads in capitals.
    let columns = [
        "Select all objects on this page for an action",
        "USERNAME",
        "USERNAME target",
        "EMAIL ADDRESS",
        "FIRST NAME",
        "LAST NAME",
        "STAFF STATUS",
    ];
    Gold {
        kind: "table".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        footer: Vec::new(),
    }
}

async fn read(client: &McpClient) -> anyhow::Result<Gold> {
    let question = json!({
        "pages": "next", "format": "json", "limit": 1_000_000, "max_tokens": MOST_TOKENS,
    });
    let (answer, _) = client.call("read_rows", question).await?;
    Gold::parse(&answer)
}
