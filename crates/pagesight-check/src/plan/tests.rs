//! Checks how `pages.toml` is read, and that errors name their line and the nearest key.

use std::path::Path;
use std::time::Duration;

use pagesight_core::compare::{ChangeType, Comparison, Severity};
use pagesight_core::fingerprint::Depth;
use pagesight_session::Engine;

use super::*;

fn environment(name: &str) -> Option<String> {
    (name == "PASSWORD").then(|| "hunter22".to_owned())
}

fn read(text: &str) -> Result<Plan, String> {
    let path = Path::new("web/pages.toml");
    Plan::read(path, text, &Overrides::default(), &environment).map_err(|error| error.to_string())
}

const WHOLE: &str = r##"
base_url = "http://localhost:3000/"
viewports = ["1280x720", "390x844"]
browsers = ["chromium", "firefox"]
fail_on = "warning"
retries = 0
timeout_s = 20
ignore = [{ selector = ".clock" }]

[severity]
title_changed = "error"

[setup]
route = "/login"
actions = [
  { type = "fill", element = { role = "textbox", name = "Email" }, text = "ci@example.com" },
  { type = "fill", element = "#password", text = "${PASSWORD}" },
  { type = "click", element = { role = "button", name = "Sign in" } },
]

[[page]]
route = "/"

[[page]]
name = "orders"
url = "https://example.com/orders?page=2"
viewports = ["800x600"]
browsers = ["firefox"]
scopes = ["main", "full"]
depth = "detailed"
pictures = false
[[page.ignore]]
text = "Cart*"
[page.severity]
title_changed = "info"
[[page.actions]]
type = "click"
element = ".close"
"##;

#[test]
fn a_whole_file_becomes_jobs() {
    let plan = read(WHOLE).unwrap();
    assert_eq!(plan.fail_on, Severity::Warning);
    assert_eq!(plan.folder(), Path::new("web/pages.baselines"));
    let setup = plan.setup.unwrap();
    assert_eq!((setup.url.as_str(), setup.steps.len()), ("http://localhost:3000/login", 3));
    assert_eq!(plan.jobs.len(), 4 + 2);
    let home = &plan.jobs[0];
    assert_eq!(
        (home.name.as_str(), home.url.as_str(), home.line),
        ("home", "http://localhost:3000/", 21)
    );
    assert_eq!((home.limit, home.retries, home.pictures), (Duration::from_secs(20), 0, true));
    assert_eq!(home.rules.0.len(), 1);
    let orders = &plan.jobs[4];
    assert_eq!(
        (orders.scope.as_str(), orders.engine.id(), orders.viewport.width),
        ("main", "firefox", 800)
    );
    assert_eq!((orders.depth, orders.pictures, orders.steps.len()), (Depth::Detailed, false, 1));
    assert_eq!((orders.rules.0.len(), plan.jobs[5].scope.as_str()), (2, ""));
    assert_eq!(orders.severity[&ChangeType::TitleChanged], Severity::Info);
    assert!(!format!("{:?}", plan.secrets).contains("hunter22"));
}

#[test]
fn the_look_and_the_audit_of_a_page_are_read() {
    let text = "base_url = \"http://a\"\nvisual = \"layout\"\n[defaults]\nmask = [\".map\"]\n\
                [[page]]\nroute = \"/\"\n[[page]]\nroute = \"/b\"\nvisual = \"pixels\"\n\
                threshold = 0.2\naudit = \"serious\"\naudit_ignore = [\"region\"]\n";
    let plan = read(text).unwrap();
    let [one, other] = plan.jobs.as_slice() else { panic!("two pages") };
    assert!(!one.visual.compares_pixels() && one.audit.is_none());
    assert!(other.visual.compares_pixels() && other.visual.masks == [".map"]);
    assert!((other.visual.threshold - 0.2).abs() < 1e-6);
    assert_eq!(other.audit.as_ref().unwrap().ignored, ["region"]);
}

#[test]
fn severities_are_the_projects_own() {
    let plan = read(WHOLE).unwrap();
    let change = |kind: &str, severity: &str| {
        let text = serde_json::json!({ "type": kind, "severity": severity, "description": "x" });
        serde_json::from_value(text).unwrap()
    };
    let changes = vec![change("element_added", "warning"), change("title_changed", "info")];
    let mut comparison = Comparison { changes, ..Comparison::default() };
    plan.jobs[0].weigh(&mut comparison);
    assert_eq!(comparison.changes[0].kind, ChangeType::TitleChanged);
    assert_eq!(comparison.at_least(Severity::Error), 1);
    plan.jobs[4].weigh(&mut comparison);
    assert_eq!(comparison.at_least(Severity::Error), 0);
}

#[test]
fn errors_name_their_line_and_the_nearest_key() {
    let page = "base_url = \"http://a\"\n[[page]]\nroute = \"/\"\n";
    for (bad, says) in [
        (String::new(), "it has no pages"),
        (
            format!("vieports = [\"1x1\"]\n{page}"),
            "web/pages.toml:1: unknown `vieports`; did you mean `viewports`?",
        ),
        (
            format!("{page}scope = \"main\"\n"),
            "web/pages.toml:4: unknown `scope`; did you mean `scopes`?",
        ),
        (format!("{page}qqq = 1\n"), "unknown `qqq`; give one of name, url"),
        (
            format!("{page}[severity]\nelement_mising = \"info\"\n"),
            "did you mean `element_missing`?",
        ),
        (
            format!("{page}depth = \"deep\"\n"),
            "unknown `deep`; give one of minimal, standard, detailed",
        ),
        (format!("{page}viewports = [\"9x9\"]\n"), "\"9x9\" is not a viewport"),
        (format!("{page}timeout_s = 0\n"), "timeout_s = 0"),
        (format!("{page}retries = 99\n"), "retries = 99"),
        (format!("{page}visual = \"pixel\"\n"), "unknown `pixel`; did you mean `pixels`?"),
        (format!("{page}visual = \"pixels\"\nthreshold = 1.5\n"), "threshold = 1.5 is out of"),
        (format!("{page}visual = \"pixels\"\npictures = false\n"), "remove pictures = false"),
        (format!("{page}visual = \"pixels\"\nmask = [\"\"]\n"), "mask: \"\" is not a selector"),
        (format!("{page}mask = [\".map\"]\n"), "mask is used only with visual = \"pixels\""),
        (format!("threshold = 0.2\n{page}"), "threshold is used only with visual = \"pixels\""),
        (format!("{page}audit = \"bad\"\n"), "unknown `bad`; give one of off, minor, moderate"),
        (format!("{page}audit_tags = [\"wcag2a\"]\n"), "audit_tags is used only with audit"),
        (format!("audit_ignore = [\"region\"]\n{page}"), "audit_ignore is used only with audit"),
        (
            format!("{page}audit = \"minor\"\naudit_tags = [\"a b\"]\n"),
            "audit_tags: \"a b\" is not a name of axe-core",
        ),
        (format!("{page}url = \"http://b\"\n"), "a url and a route"),
        (format!("{page}scopes = [\"[12]\"]\n"), "is not a scope for a check"),
        (format!("{page}ignore = [{{}}]\n"), "is empty"),
        (format!("{page}name = \"a b\"\n"), "not a valid name"),
        (
            format!("{page}[[page]]\nroute = \"/#\"\nname = \"HOME\"\n"),
            "web/pages.toml:4: a page named \"HOME\" is already in line 2",
        ),
        (format!("{page}[[page]]\nname = \"x\"\n"), "it has no URL"),
        ("[[page]]\nroute = \"/\"".to_owned(), "a route needs a base"),
        ("[[page]]\nurl = \"/orders\"".to_owned(), "a route needs a base URL; write base_url ="),
        ("[[page]]\nurl = \"//orders\"".to_owned(), "it has no scheme; give a URL"),
        ("[[page]]\nurl = \"localhost:3000\"".to_owned(), "did you mean http://localhost:3000?"),
        ("[[page]]\nurl = \"file:///etc/passwd\"".to_owned(), "file: is off"),
        ("[[page]\nroute = \"/\"".to_owned(), "web/pages.toml:1:"),
        (format!("{page}actions = [{{ type = \"click\" }}]\n"), "needs element"),
        (
            format!(
                "{page}actions = [{{ type = \"fill\", element = \"a\", text = \"${{NO}}\" }}]\n"
            ),
            "variable NO is not set",
        ),
        (format!("{page}[setup]\nroute = \"/login\"\n"), "it has no actions"),
        (format!("{page}browsers = [\"safari\"]\n"), "unknown `safari`"),
    ] {
        let error = read(&bad).unwrap_err();
        assert!(error.contains(says), "{bad}\n{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn a_url_that_is_a_path_is_a_route() {
    let text = "base_url = \"http://a/shop/\"\n[[page]]\nurl = \"/orders?page=2\"\n";
    let plan = read(text).unwrap();
    let [job] = plan.jobs.as_slice() else { panic!("one page has one job") };
    assert_eq!(job.url.as_str(), "http://a/shop/orders?page=2");
}

#[test]
fn names_come_from_routes() {
    for (route, name) in [
        ("/", "home"),
        ("", "home"),
        ("/orders/list", "orders-list"),
        ("/orders?page=2&q=a", "orders-page-2-q-a"),
        ("https://example.com/about.html", "about.html"),
        ("https://example.com", "home"),
        ("/..", "home"),
        ("/größe", "größe"),
    ] {
        assert_eq!(name_of(route), name, "{route}");
    }
}

#[test]
fn the_command_line_has_the_last_word() {
    let overrides = Overrides {
        base_url: Some("http://127.0.0.1:9".into()),
        fail_on: Some(Severity::Info),
        browsers: vec![Engine::Firefox],
    };
    let plan = Plan::read(Path::new("pages.toml"), WHOLE, &overrides, &environment).unwrap();
    assert_eq!((plan.jobs[0].url.as_str(), plan.fail_on), ("http://127.0.0.1:9/", Severity::Info));
    assert!(plan.jobs.iter().all(|job| job.engine == Engine::Firefox));
}

#[test]
fn addresses_are_filled_in_from_the_environment() {
    let text = r#"
base_url = "https://ci:${PASSWORD}@staging/"
[setup]
url = "https://login/?key=${PASSWORD}"
actions = [{ type = "press", key = "Enter" }]
[[page]]
route = "/a?t=${PASSWORD}"
[[page]]
url = "http://b/${PASSWORD}"
"#;
    let plan = read(text).unwrap();
    let urls: Vec<&str> = plan.jobs.iter().map(|job| job.url.as_str()).collect();
    assert_eq!(urls, ["https://ci:hunter22@staging/a?t=hunter22", "http://b/hunter22"]);
    assert_eq!(plan.setup.unwrap().url.as_str(), "https://login/?key=hunter22");
    let names: Vec<&str> = plan.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["a-t-PASSWORD", "PASSWORD"], "a name does not contain the value");
    assert_eq!(plan.secrets.hide("hunter22".to_owned()), "${PASSWORD}");
    let bad = read("[[page]]\nurl = \"ftp://a/${PASSWORD}\"\n").unwrap_err();
    assert!(bad.contains("${PASSWORD}") && !bad.contains("hunter22"), "{bad}");
    let missing = read("[[page]]\nurl = \"${NO_SUCH}/\"\n").unwrap_err();
    assert!(missing.contains(":1: ") && missing.contains("NO_SUCH is not set"), "{missing}");
}

#[test]
fn each_size_and_condition_is_a_variant() {
    let views = |text: &str| {
        let plan =
            read(&format!("base_url = \"http://a\"\n{text}")).map_err(|error| error.to_string())?;
        let view = |job: &Job| {
            let (width, height) = (job.viewport.width, job.viewport.height);
            format!("{} {width}x{height} {}", job.name, job.emulation).trim_end().to_owned()
        };
        Ok::<_, String>(plan.jobs.iter().map(view).collect::<Vec<_>>())
    };
    let text = "[defaults]\nviewports = [\"1280x720\"]\ndevices = [\"pixel-9\", \"400x700@2,touch\"]\n\
        emulate = [{}, { color_scheme = \"dark\", cpu = 2 }]\n\
        [[page]]\nname = \"a\"\nroute = \"/\"\n\
        [[page]]\nname = \"b\"\nroute = \"/b\"\ndevice = \"ipad\"\nemulate = { locale = \"de-DE\", offline = false }\n";
    assert_eq!(
        views(text).unwrap(),
        [
            "a 1280x720",
            "a 1280x720 dark, cpu 2",
            "a 412x843 pixel-9",
            "a 412x843 pixel-9, dark, cpu 2",
            "a 400x700 400x700@2,touch",
            "a 400x700 400x700@2,touch, dark, cpu 2",
            "b 820x1106 ipad, de-DE",
        ]
    );
    let plain = read("[[page]]\nurl = \"http://a/\"\n").unwrap();
    assert!(plain.jobs[0].emulation.is_empty() && plain.jobs[0].key().emulation.is_empty());
    let keys: std::collections::HashSet<_> = read(&format!("base_url = \"http://a\"\n{text}"))
        .unwrap()
        .jobs
        .iter()
        .map(Job::key)
        .collect();
    assert_eq!(keys.len(), 7, "each has a baseline of its own");
    for (wrong, says) in [
        ("device = \"nokia\"", "\"nokia\" is not a device; give one of iphone-se"),
        ("device = \"ipad\"\ndevices = [\"ipad\"]", "device and devices are both given"),
        ("emulate = { device = \"ipad\" }", "emulate has a device; give it as device or devices"),
        ("emulate = \"dark\"", "expected a table of conditions"),
    ] {
        let error = views(&format!("[[page]]\nroute = \"/\"\n{wrong}\n")).unwrap_err();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

#[test]
fn conditions_change_the_digest_and_nothing_else_does() {
    let digest = |more: &str| {
        let plan = read(&format!("[[page]]\nurl = \"http://a/\"\n{more}")).unwrap();
        plan.digest_of(plan.jobs.iter())
    };
    assert_eq!(digest(""), digest("emulate = []\n"));
    assert_ne!(digest(""), digest("emulate = { color_scheme = \"dark\" }\n"));
}
