//! Tests `read_rows` and `pagesight rows` through the whole program.

use serde_json::{Value, json};

use crate::support::{Client, Site, has, lacks, outside_ci};

both_engines!(an_agent_reads_filters_and_adds_rows);
both_engines!(tables_and_cards_in_several_parts_are_read);

async fn an_agent_reads_filters_and_adds_rows() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    client.ok("browser_navigate", json!({ "url": site.url("accounts.html") })).await;
    let question =
        json!({ "where": "State = failed", "order_by": "balance / amount desc", "limit": 2 });
    let text = client.ok("read_rows", question).await.text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "table: Accounts — 379 rows, 95 match (State = failed)");
    assert_eq!(
        lines[1],
        "columns: Name · Name target · State · Balance / Amount · Balance / Due · column 5"
    );
    let row = "Account 380 · /accounts/380 · failed · 380.000,50 € · 17.03.2024 · Retry [";
    assert!(lines[2].starts_with(row), "{text}");
    assert!(lines[3].starts_with("Account 376 · "), "{text}");
    assert_eq!(lines[4], "footer: Total · - · - · 1.000,00 € · - · -");
    assert_eq!(lines[5], "… 93 more rows — read_rows after=2");
    assert!(!text.contains("key-"), "a hidden column is left out: {text}");

    // The numbers are references.
    let number = lines[2].rsplit_once('[').unwrap().1.trim_end_matches(']');
    let outline = client.ok("inspect_tab", json!({ "scope": number })).await.text;
    has(&outline, "button: Retry");

    for (question, line) in [
        (json!({ "aggregate": "count", "where": "State = failed" }), "count: 95"),
        (
            json!({ "aggregate": "sum(Balance / Amount)", "where": "Balance / Amount <= 3000,50" }),
            "sum(Balance / Amount): 6001.50 €",
        ),
        (json!({ "aggregate": "count by State" }), "open · 284"),
        (json!({ "columns": ["name"], "after": 378 }), "Account 380 ["),
        (json!({ "after": 380 }), "no rows after 380: there are 379"),
        (
            json!({ "columns": ["name"], "where": "Balance / Due = 2024-03-08 and State = open" }),
            "Account 35 [",
        ),
    ] {
        has(&client.ok("read_rows", question).await.text, line);
    }
    let cards = client.ok("read_rows", json!({ "scope": ".cards" })).await.text;
    let lines: Vec<&str> = cards.lines().collect();
    assert_eq!(lines[..2], ["cards: Offers — 3 rows", "columns: heading · Price · button"]);
    assert!(lines[2].starts_with("Lamp · 12 € · "), "{cards}");
    for (question, words) in [
        (
            json!({ "where": "Status = x" }),
            "where: there is no column \"Status\"; the columns are \"Name\"",
        ),
        (json!({ "where": "State ~ x" }), "has no operator"),
        (json!({ "order_by": "" }), "order_by is empty"),
        (json!({ "aggregate": "mean(Name)" }), "is not known; use count or sum(COLUMN)"),
        (json!({ "aggregate": "sum(Name)" }), "cannot be added"),
        (json!({ "aggregate": "count", "columns": ["Name"] }), "leave out columns"),
        (json!({ "limit": 0 }), "limit 0 shows no rows"),
        (json!({ "max_tokens": 100 }), "max_tokens 100 is too small for rows"),
        (json!({ "scope": "h1" }), "the scope has no table, list or repeated cards"),
        (json!({ "overwrite": true }), "overwrite needs path"),
        (json!({ "format": "xml" }), "unknown variant `xml`"),
    ] {
        has(&client.fails("read_rows", question).await, words);
    }
    let fields = "<table><tr><th>User<th>Password<tr><td><input value=ann><td><input type=password value=hunter2>\
        <tr><td><input value=bob><td>hunter2</table>";
    client.ok("browser_navigate", json!({ "url": site.page(fields) })).await;
    let text = client.ok("read_rows", json!({})).await.text;
    has(&text, "\nann · ••• [");
    lacks(&text, "hunter2");
    client.close().await;
}

async fn tables_and_cards_in_several_parts_are_read() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let row = |name: &str, sign: &str, moment: &str, text: &str| {
        format!(
            "<tr><td>{name}<td>{sign}<td><time datetime={moment}>{text}</time><td><details>\
             <summary>More</summary>of {name}</details>"
        )
    };
    let body = [
        row("Apollo", "<i class='fa fa-check'></i>", "2024-05-03", "2 days ago"),
        row("Gemini", "<i class='fa fa-xmark'></i> late", "2023-05-03", "a year ago"),
        row("Voyager", "", "2024-05-05", "just now"),
    ];
    let card = |at: usize| {
        format!("<div class=card><h3>C{at}</h3><label>Count <input value={at}></label></div>")
    };
    let shelf = |at: usize| format!("<div class=shelf>{}{}</div>", card(at), card(at + 1));
    let page = format!(
        "<style>.shelf{{display:flex}}.card{{width:200px}}i{{display:inline-block;width:9px;\
         height:9px}}</style><table><thead><tr><th>Name\
         <th>Sign<th>Changed<th>Rest</thead></table><div style='height:90px;overflow:auto'>\
         <table>{}</table></div><div id=cards>{}{}</div>",
        body.concat(),
        shelf(0),
        shelf(2)
    );
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let question = json!({ "order_by": "Changed", "where": "Changed < 2024-05-04" });
    let text = client.ok("read_rows", question).await.text;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "table — 3 rows, 2 match (Changed < 2024-05-04)");
    assert_eq!(lines[1], "columns: Name · Sign · Changed · Rest");
    assert!(lines[2].starts_with("Gemini · late · a year ago · More ["), "{text}");
    assert!(lines[3].starts_with("Apollo · check icon · 2 days ago · More ["), "{text}");
    let cards = client.ok("read_rows", json!({ "scope": "#cards" })).await.text;
    let lines: Vec<&str> = cards.lines().collect();
    assert_eq!(lines[..2], ["cards — 4 rows", "columns: heading · Count"]);
    assert!(lines[5].starts_with("C3 · 3 ["), "{cards}");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_rows_are_written_below_the_folder() {
    let site = Site::start().await;
    let root = tempfile::tempdir().unwrap();
    let client = Client::start(&["--output-root", root.path().to_str().unwrap()]).await;
    client.ok("browser_navigate", json!({ "url": site.url("accounts.html") })).await;
    let wrote =
        client.ok("read_rows", json!({ "path": "a.csv", "where": "State = failed" })).await.text;
    has(&wrote, " bytes): table: Accounts — 379 rows, 95 match (State = failed)\ncolumns: ");
    assert_eq!(wrote.lines().filter(|line| line.starts_with("Account ")).count(), 3, "{wrote}");
    let csv = std::fs::read_to_string(root.path().join("a.csv")).unwrap();
    let first = "Name,Name target,State,Balance / Amount,Balance / Due,column 5\r\nAccount 4,/accounts/4,failed,\"4.000,50 €\",05.03.2024,Retry\r\n";
    assert!(csv.starts_with(first), "{csv}");
    assert_eq!(csv.lines().count(), 96);
    client.ok("read_rows", json!({ "path": "a.json" })).await;
    let rows: Value =
        serde_json::from_slice(&std::fs::read(root.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 379);
    assert_eq!(rows[0]["Balance / Amount"], "1.000,50 €");
    for (question, words) in [
        (json!({ "path": "a.csv" }), "a.csv exists and was kept; set overwrite"),
        (
            json!({ "path": "b.csv", "format": "json" }),
            "b.csv is a file of csv by its name, not of json",
        ),
        (json!({ "path": "b.png" }), "b.png is not the name of a file with rows; use .csv"),
        (json!({ "path": "b.csv", "limit": 5 }), "leave out limit and after"),
        (json!({ "path": "../b.csv" }), "is not a file below"),
    ] {
        has(&client.fails("read_rows", question).await, words);
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_reads_rows_of_a_page_and_of_a_file() {
    let site = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let (page, csv) = (folder.path().join("a.page.json"), folder.path().join("a.csv"));
    let run = async |arguments: &[&str]| {
        let mut command = tokio::process::Command::from(outside_ci());
        let done = command.arg("rows").args(arguments).output().await.unwrap();
        let said =
            (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        (done.status.code(), said.0, said.1)
    };
    let (page, csv) = (page.to_str().unwrap(), csv.to_str().unwrap());
    let ask = ["--where", "State = failed", "--limit", "2"];
    let live = run(&[&[&site.url("accounts.html"), "--save-page", page][..], &ask].concat()).await;
    assert_eq!(live.0, Some(0), "{}", live.2);
    has(&live.1, "… 93 more rows — pagesight rows --after 2");
    let saved = run(&[&[page][..], &ask].concat()).await;
    assert_eq!(saved.0, Some(0), "{}", saved.2);
    let without_numbers = |text: &str| {
        text.lines().map(|line| line.split(" [").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        without_numbers(&live.1),
        without_numbers(&saved.1),
        "a file says what its page said"
    );
    let (code, out, error) = run(&[page, "--columns", "Name,State", "--to", csv]).await;
    assert_eq!(code, Some(0), "{error}");
    has(&out, &format!("wrote {csv} ("));
    let written = std::fs::read_to_string(csv).unwrap();
    assert!(written.starts_with("Name,State\r\nAccount 1,open\r\n"), "{written}");
    let (_, out, _) = run(&[page, "--aggregate", "count by State", "--output", "json"]).await;
    let data: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(data["rows"], json!([["open", "284"], ["failed", "95"]]));
    for (arguments, words) in [
        (&["--where", "Status = x"][..], "there is no column \"Status\""),
        (&["--format", "xml"], "--format must be text, csv, json or markdown, not \"xml\""),
        (&["--limit", "0"], "limit 0 shows no rows"),
        (&["--to", "x.png"], "x.png is not the name of a file with rows"),
        (&["--to", csv, "--format", "json"], "is a file of csv by its name, not of json"),
        (&["--limit", "1", "--limit", "2"], "is given twice; leave one of them out"),
        (&["--where"], "needs a value"),
    ] {
        let (code, _, error) = run(&[&[page][..], arguments].concat()).await;
        assert_eq!(code, Some(2), "{arguments:?}: {error}");
        has(&error, words);
    }
}
