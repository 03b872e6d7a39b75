//! Tests `pagesight check` through the whole program: saved, unchanged, broken and updated pages,
//! log-ins, retries, limits, exit codes.

use crate::support;
use crate::support::has;
use std::collections::{BTreeMap, BTreeSet};

use crate::support::shop::{
    PAGES, baselines, check, command, ended, folder_with, names, pages, project, result_of, run,
    said, serve,
};

/// A shop whose price and field change between two checks.
#[tokio::test(flavor = "multi_thread")]
async fn prices_exact_texts_and_fields_are_compared() {
    let served = serve().await;
    let folder = folder_with(&served, "");
    let at = folder.path();
    let page = |price: &str, total: &str, field: &str| {
        let html = format!(
            "<main><h1>Shop</h1><article><h2>Lamp</h2><span class=price>{price}</span></article>
            <div role=status aria-label=Total>Total: {total}</div>
            <form><label>Email <input {field}></label></form></main>"
        );
        served.shop.lock().unwrap().any = html;
    };
    let plan = |settings: &str| {
        let base = format!("base_url = \"http://{}\"\n", served.address);
        let text = format!("{base}{settings}[[page]]\nname = \"shop\"\nroute = \"/any\"\n");
        std::fs::write(at.join("pages.toml"), text).unwrap();
    };
    let flags = ["--output", "json"];
    let changes = async |code: i32| {
        let result = result_of(&ended(code, check(at, &flags).await));
        let changes = result["pages"][0]["changes"].as_array().cloned().unwrap_or_default();
        let words = changes.iter().map(|change| {
            format!("{} {}", change["severity"], change["description"]).replace('"', "")
        });
        words.collect::<Vec<_>>()
    };
    page("199.00 EUR", "5 items", "");
    plan("numbers = \"off\"\n");
    ended(0, check(at, &flags).await);
    // The baseline is older than the settings.
    plan("[defaults]\nnumbers = \"warning\"\nexact = [\"status: Total\"]\n");
    page("1.99 EUR", "6 items", "");
    let older = said(&ended(0, check(at, &[]).await));
    has(&older, "prices and other numbers with a unit, the text of 'status: Total'");
    ended(0, check(at, &["--update"]).await);
    page("199.00 EUR", "7 items", "required maxlength=5");
    let found = changes(1).await;
    assert_eq!(
        found,
        [
            "error status: Total: 'Total: 6 items' is now 'Total: 7 items'",
            "warning Input 'Email' is now required",
            "warning Input 'Email' now has maxlength '5'",
            "warning 'Lamp': '1.99 EUR' is now '199.00 EUR'",
        ]
    );
    // Only structure.
    plan("numbers = \"off\"\n");
    assert_eq!(changes(0).await.len(), 2);
    for (wrong, why) in [
        ("numbers = \"loud\"\n", "loud"),
        ("exact = [\"[3] button: Buy\"]\n", "is a reference"),
        ("exact = [\"css=\"]\n", "css= needs a selector"),
        ("exact = [\"Total\", \"Total\"]\n", "twice"),
        ("retries = 1\n[defaults]\nretries = 2\n", "retries is written at the top and in"),
    ] {
        plan(wrong);
        has(&said(&ended(2, check(at, &[]).await)), why);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_saved_compared_and_updated() {
    let served = serve().await;
    let folder = project(&served, "");
    let at = folder.path();

    let mut in_ci = command(at, &["--only", "p-0", "--only", "p-1"]);
    in_ci.env("CI", "true");
    let missing = ended(2, run(in_ci).await);
    has(&said(&missing), "2 pages: 2 no baseline");
    assert!(baselines(at).is_empty(), "nothing is saved in CI");

    let first = ended(0, check(at, &[]).await);
    assert!(said(&first).starts_with("8 pages: 8 saved in "), "{}", said(&first));
    let saved = baselines(at);
    assert_eq!(saved.len(), 2 * PAGES, "{:?}", saved.keys());
    assert!(
        saved.contains_key("p-3@chromium-1280x720.json")
            && saved.contains_key("p-3@chromium-1280x720.png")
    );

    let second = ended(0, check(at, &["--output", "json"]).await);
    assert_eq!(result_of(&second)["counts"]["unchanged"], PAGES);
    assert!(baselines(at) == saved, "an unchanged page's files are left alone");

    // Each fault on a separate page; two pages stay unbroken.
    let faults = &pages::FAULTS[..PAGES - 2];
    served.shop.lock().unwrap().broken =
        (0..faults.len()).map(|fault| (fault + 1, fault)).collect();
    let third = ended(
        1,
        check(
            at,
            &[
                "--output",
                "json",
                "--junit",
                "junit.xml",
                "--report",
                "report.html",
                "--fail-on",
                "warning",
            ],
        )
        .await,
    );
    let third = result_of(&third);
    assert_eq!(
        names(&third, "changed"),
        (1..=faults.len()).map(|number| format!("p-{number}")).collect(),
        "{third:#}"
    );
    assert_eq!(names(&third, "unchanged"), BTreeSet::from(["p-0".to_owned(), "p-7".to_owned()]));
    for (fault, (name, kind)) in faults.iter().enumerate() {
        let page = &third["pages"][fault + 1];
        let kinds: Vec<&str> = page["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| change["type"].as_str().unwrap())
            .collect();
        assert!(kinds.contains(kind), "{name}: {kinds:?}");
        assert_eq!(page["tries"], 2, "what differs is looked at again: {page}");
    }
    let junit = std::fs::read_to_string(at.join("junit.xml")).unwrap();
    has(&junit, "tests=\"8\" failures=\"6\" errors=\"0\"");
    let report = std::fs::read_to_string(at.join("report.html")).unwrap();
    let pictures = report.matches("data:image/png;base64,").count();
    assert_eq!(pictures, 2 * faults.len(), "of each page that changed, before and after");
    assert!(report.contains("Save Tea"), "what is missing is named");
    assert!(baselines(at) == saved);

    let mut on_github = command(at, &["--only", "p-1", "--only", "p-0"]);
    on_github
        .env("CI", "true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", at.join("summary.md"));
    let github = ended(1, run(on_github).await);
    has(
        &said(&github),
        "::error file=pages.toml,line=5,title=p-1 (chromium 1280x720)%3A changed::error: ",
    );
    has(&said(&github), "'Save Tea' is missing.");
    // GitHub obeys the annotation, because it comes after the end of the last block.
    let out = String::from_utf8_lossy(&github.stdout);
    let stops: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("::stop-commands::")).collect();
    assert!(stops.len() == 2 && stops[0] != stops[1], "{out}");
    let obeyed = out.rsplit(&format!("::{}::\n", stops[1])).next().unwrap();
    assert!(obeyed.starts_with("::error file=pages.toml") && out.lines().count() > 5, "{out}");
    assert!(
        std::fs::read_to_string(at.join("summary.md"))
            .unwrap()
            .contains("| p-1 (chromium 1280x720) | **changed** |")
    );

    // Accepted changes are printed before any file is written, even if writing fails then.
    let picture = at.join("pages.baselines/p-1@chromium-1280x720.png");
    std::fs::remove_file(&picture).unwrap();
    std::fs::create_dir_all(picture.join("in the way")).unwrap();
    let refused = ended(2, check(at, &["--only", "p-1", "--update"]).await);
    let text = said(&refused);
    assert!(
        text.contains("'Save Tea' is missing.") && text.contains("cannot be written"),
        "{text}"
    );
    has(&text, "1 page: 1 failed");
    assert_eq!(baselines(at)["p-1@chromium-1280x720.json"], saved["p-1@chromium-1280x720.json"]);
    std::fs::remove_dir_all(&picture).unwrap();

    let some = ["--only", "p-1", "--only", "p-2"];
    let update = said(&ended(0, check(at, &[&some[..], &["--update"]].concat()).await));
    has(&update, "'Save Tea' is missing.");
    has(&update, "2 updated");
    let again = ended(0, check(at, &some).await);
    assert!(said(&again).starts_with("2 pages: 2 unchanged"), "{}", said(&again));
    // One button less is one line less in the review.
    let lines = |files: &BTreeMap<String, Vec<u8>>| -> BTreeSet<String> {
        String::from_utf8_lossy(&files["p-1@chromium-1280x720.json"])
            .lines()
            .map(|line| line.trim_end_matches(',').to_owned())
            .collect()
    };
    let (before, after) = (lines(&saved), lines(&baselines(at)));
    assert_eq!(
        before.symmetric_difference(&after).count(),
        1,
        "{:?}",
        before.symmetric_difference(&after).collect::<Vec<_>>()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_is_done_once_and_its_secret_stays_secret() {
    let served = serve().await;
    let text = r#"
[setup]
route = "/login"
actions = [
  { type = "fill", element = { role = "textbox", name = "Password" }, text = "${SHOP_PASSWORD}" },
  { type = "click", element = { role = "button", name = "Log in" } },
  { type = "wait", url = "/private" },
]
[[page]]
route = "/private"
depth = "detailed"
viewports = ["1280x720", "390x844"]
[[page]]
name = "nested"
route = "/nested"
actions = [
  { type = "click", element = { role = "button", name = "Open inside" } },
  { type = "click", element = { role = "button", name = "Twice", nth = 2 } },
  { type = "click", element = ".deep" },
  { type = "wait", text = "Reached" },
]
[[page]]
name = "alert"
route = "/alert"
actions = [{ type = "dialog", accept = true }]
[[page]]
name = "several"
route = "/nested"
retries = 0
actions = [{ type = "click", element = { role = "button", name = "Twice" } }]
[[page]]
name = "none"
route = "/nested"
retries = 0
timeout_s = 8
actions = [{ type = "click", element = { role = "button", name = "Thrice" } }]
"#;
    let folder = folder_with(&served, text);
    let at = folder.path();
    let without = check(at, &[]).await;
    assert_eq!(without.status.code(), Some(2));
    has(&said(&without), "the environment variable SHOP_PASSWORD is not set");

    let mut with = command(at, &[]);
    with.env("SHOP_PASSWORD", "hunter22");
    let with = ended(2, run(with).await);
    has(&said(&with), "5 pages in 6 variants: 4 saved, 2 failed");
    has(&said(&with), "2 elements match button: Twice; add nth = 1");
    has(&said(&with), "there is no button: Thrice; the page has Twice, Twice, Open inside");
    assert_eq!(served.shop.lock().unwrap().log_ins, 1, "once for all pages");
    assert!(!said(&with).contains("hunter22"));
    let files = baselines(at);
    let account = String::from_utf8_lossy(&files["private@chromium-390x844.json"]).into_owned();
    has(&account, "Hello ${SHOP_PASSWORD}");
    assert!(
        files
            .iter()
            .filter(|(name, _)| name.ends_with("json"))
            .all(|(_, text)| !String::from_utf8_lossy(text).contains("hunter22"))
    );
    let nested = String::from_utf8_lossy(&files["nested@chromium-1280x720.json"]).into_owned();
    has(&nested, "\"Reached\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_of_an_address_is_used_but_not_shown() {
    let served = serve().await;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = format!(
        "retries = 0\nbase_url = \"http://ci:${{SHOP_PASSWORD}}@{}\"\n\
         [[page]]\nroute = \"/guarded?page=2&session=${{SHOP_PASSWORD}}\"\n\
         [[page]]\nname = \"literal\"\nurl = \"http://ci:hunter22@{}/guarded?a=1&token=hunter22\"\n\
         [[page]]\nname = \"none\"\nurl = \"http://ci:hunter22@127.0.0.1:1/?token=hunter22\"\n",
        served.address, served.address
    );
    std::fs::write(at.join("pages.toml"), text).unwrap();
    let with = |arguments: &[&str]| {
        let mut with = command(at, arguments);
        with.env("SHOP_PASSWORD", "hunter22").env("GITHUB_ACTIONS", "true");
        with.env("GITHUB_STEP_SUMMARY", at.join("summary.md"));
        run(with)
    };
    let files = ["--jobs", "1", "--report", "report.html", "--junit", "junit.xml"];
    let first = with(&files).await;
    has(&said(&first), "3 pages: 2 saved, 1 failed");
    let second = with(&[&["--output", "json"], &files[..]].concat()).await;
    let reported = result_of(&second);
    let (filled, literal) = (&reported["pages"][0], &reported["pages"][1]);
    assert_eq!(
        literal["url"],
        format!("http://{}/guarded?a=1&token=…", served.address),
        "{reported}"
    );
    assert_eq!(filled["result"], "changed", "{reported}");
    assert!(filled["notes"].to_string().contains("/guarded?page=…&session=…"), "{reported}");
    let summary = std::fs::read_to_string(at.join("summary.md")).unwrap();
    assert!(!summary.contains("http://"), "GitHub would make a link of it: {summary}");
    let mut all = said(&first) + &said(&second);
    for name in ["report.html", "junit.xml", "summary.md"] {
        all += &std::fs::read_to_string(at.join(name)).unwrap();
    }
    for (name, text) in baselines(at).iter().filter(|(name, _)| name.ends_with(".json")) {
        all += name;
        all += &String::from_utf8_lossy(text);
    }
    let found = all.lines().find(|line| line.contains("hunter22") || line.contains("ci:"));
    assert_eq!(found, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_page_does_not_stop_the_others_and_retries_are_reported() {
    let served = serve().await;
    let text = "
[[page]]
route = \"/never\"
timeout_s = 2
[[page]]
route = \"/p/1\"
[[page]]
route = \"/missing\"
retries = 0
[[page]]
name = \"meant\"
route = \"/missing\"
status = 404
[[page]]
route = \"/unsteady\"
[[page]]
name = \"away\"
url = \"http://127.0.0.1:9/\"
";
    let folder = folder_with(&served, text);
    let at = folder.path();
    let first = check(at, &["--jobs", "2"]).await;
    let text = said(&first);
    assert_eq!(first.status.code(), Some(2), "{text}");
    has(&text, "6 pages: 3 saved, 3 failed");
    has(&text, "it did not answer within 2 s; ");
    has(&text, "Load 1 failed: ");
    has(&text, "it answered 404, so no baseline was saved");
    has(&text, " could not be loaded: ");
    has(&text, " (net::ERR_");

    served.shop.lock().unwrap().visits.insert("unsteady".to_owned(), 1);
    let second = check(at, &["--only", "unsteady", "--only", "p-1"]).await;
    let text = said(&second);
    assert_eq!(second.status.code(), Some(0), "{text}");
    has(&text, "unsteady   unsteady (chromium 1280x720)");
    assert!(
        text.contains("Load 1 differed: error: ") && text.contains("1 of them unsteady"),
        "{text}"
    );

    // A damaged file is refused, with --update too.
    let damaged = at.join("pages.baselines/p-1@chromium-1280x720.json");
    std::fs::write(&damaged, "<<<<<<< HEAD\n").unwrap();
    std::fs::write(at.join("pages.baselines/old@chromium-1280x720.json"), "{}").unwrap();
    let third = ended(2, check(at, &["--only", "p-1", "--update"]).await);
    assert!(
        said(&third).contains("was not changed") && said(&third).contains("no page uses "),
        "{}",
        said(&third)
    );
    assert_eq!(std::fs::read_to_string(&damaged).unwrap(), "<<<<<<< HEAD\n");
    let unknown = check(at, &["--only", "p-9"]).await;
    assert_eq!(unknown.status.code(), Some(2));
    has(&said(&unknown), "there is no page named \"p-9\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_up_that_fails_is_tried_again() {
    let served = serve().await;
    let text = r#"
retries = RETRIES
[setup]
route = "/moody"
timeout_s = 20
actions = [
  { type = "fill", element = { role = "textbox", name = "Password" }, text = "hunter22" },
  { type = "click", element = { role = "button", name = "Log in" } },
]
[[page]]
route = "/private"
"#;
    let never = folder_with(&served, &text.replace("RETRIES", "0"));
    let first = ended(2, check(never.path(), &[]).await);
    has(&said(&first), "the [setup] failed: ");
    assert!(baselines(never.path()).is_empty());

    served.shop.lock().unwrap().visits.clear();
    let once = folder_with(&served, &text.replace("RETRIES", "1"));
    let second = ended(0, check(once.path(), &[]).await);
    has(&said(&second), "try 1 of the [setup] failed: ");
    has(&said(&second), "answered 503; tried again");
    assert_eq!(served.shop.lock().unwrap().log_ins, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn firefox_has_baselines_of_its_own() {
    if support::no_firefox() {
        return;
    }
    let served = serve().await;
    let folder = folder_with(
        &served,
        "browsers = [\"chromium\", \"firefox\"]\n[[page]]\nroute = \"/p/4\"\n",
    );
    let at = folder.path();
    ended(0, check(at, &[]).await);
    assert_eq!(baselines(at).len(), 4);
    served.shop.lock().unwrap().broken = BTreeMap::from([(4, 0)]);
    let second = ended(1, check(at, &[]).await);
    has(&said(&second), "p-4 (firefox 1280x720)");
    has(&said(&second), "2 changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn console_errors_and_failed_requests_can_fail_a_check() {
    let site = support::Site::start().await;
    let html = "<h1>Shop</h1><script>console.error('Oops'); fetch('/status/503?id=1')</script>";
    let url = site.page(html);
    let folder = tempfile::tempdir().unwrap();
    let write = |more: &str| {
        let page = format!("[[page]]\nname = \"shop\"\nurl = \"{url}\"\n");
        let text = format!("pictures = false\nretries = 0\n{more}\n{page}");
        std::fs::write(folder.path().join("pages.toml"), text).unwrap();
    };
    write("");
    ended(0, check(folder.path(), &[]).await);
    write("problems = \"error\"");
    let failed = ended(1, check(folder.path(), &["--output", "json"]).await);
    let changes = result_of(&failed)["pages"][0]["changes"].clone();
    let described: Vec<String> = changes
        .as_array()
        .unwrap()
        .iter()
        .map(|change| format!("{} {}", change["type"], change["description"]))
        .collect();
    assert_eq!(described.len(), 2, "{described:?}");
    assert!(
        described[0].starts_with("\"console_error\" \"Console error: Oops at http://127.0.0.1:"),
        "{described:?}"
    );
    assert!(
        described[1].starts_with("\"request_failed\" \"GET http://127.0.0.1:"),
        "{described:?}"
    );
    assert!(described[1].ends_with("/status/503?id=… failed: 503\""), "{described:?}");
    write("problems = \"error\"\nignore_problems = [\"Oops\", \"GET */status/* failed: 503\"]");
    ended(0, check(folder.path(), &[]).await);
    write("problems = \"warning\"");
    let warned = ended(0, check(folder.path(), &[]).await);
    has(&said(&warned), "Console error: Oops");
    for (wrong, words) in [
        ("problems = \"fatal\"", "unknown `fatal`"),
        ("problems = \"error\"\nignore_problems = [\"*\"]", "a pattern without text"),
    ] {
        write(wrong);
        let refused = ended(2, check(folder.path(), &[]).await);
        has(&said(&refused), words);
    }
}

/// Each device and each condition has its own line and its own baseline.
#[tokio::test(flavor = "multi_thread")]
async fn devices_and_conditions_are_checked_apart() {
    let served = serve().await;
    let folder = folder_with(&served, "");
    let at = folder.path();
    let html = |dark: &str| {
        format!(
            "<meta name=viewport content='width=device-width'><style>.phone, .dark {{ display: none }}
            @media (pointer: coarse) {{ .phone {{ display: block }} }}
            @media (prefers-color-scheme: dark) {{ .dark {{ display: block }} }}</style>
            <main><h1>Shop</h1><h2 class=phone>Phone</h2><h2 class=dark>{dark}</h2></main>"
        )
    };
    served.shop.lock().unwrap().any = html("Night");
    let plan = format!(
        "base_url = \"http://{}\"\nviewports = [\"1280x720\"]\ndevices = [\"pixel-9\"]\n\
         [[page]]\nname = \"shop\"\nroute = \"/any\"\nemulate = [{{}}, {{ color_scheme = \"dark\" }}]\n",
        served.address
    );
    std::fs::write(at.join("pages.toml"), plan).unwrap();
    ended(0, check(at, &[]).await);
    let saved = baselines(at).into_keys().filter(|name| name.ends_with(".json")).count();
    assert_eq!(saved, 4, "{:?}", baselines(at));
    served.shop.lock().unwrap().any = html("Evening");
    let result =
        result_of(&ended(0, check(at, &["--output", "json", "--report", "report.html"]).await));
    let changed: Vec<String> = (result["pages"].as_array().unwrap().iter())
        .filter(|page| page["result"] == "changed")
        .map(|page| format!("{} {}", page["viewport"]["width"], page["emulated"]))
        .collect();
    assert_eq!(changed, ["1280 \"dark\"", "412 \"pixel-9, dark\""]);
    let text = said(&ended(0, check(at, &[]).await));
    has(&text, "shop (chromium 412x843, pixel-9, dark)");
    has(&text, "1 page in 4 variants");
    let report = std::fs::read_to_string(at.join("report.html")).unwrap();
    has(&report, "<option value=\"pixel-9, dark\">");
    // An engine that cannot do it says so.
    let firefox = std::fs::read_to_string(at.join("pages.toml")).unwrap();
    std::fs::write(at.join("pages.toml"), format!("browsers = [\"firefox\"]\n{firefox}")).unwrap();
    if !support::no_firefox() {
        let refused = said(&ended(2, check(at, &[]).await));
        has(&refused, "Chromium can do it");
    }
}
