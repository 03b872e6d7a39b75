//! Runs the shell steps of the GitHub Action with a fake environment: two shards, a retry, the
//! merge and the comment, which goes to a server on this machine.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::IntoResponse;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::support::shop::{baselines, check, ended, project, run, said, serve};
use crate::support::{has, program};

fn action() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../action")
}

/// A request: method, address, token and body.
type Requests = Arc<Mutex<Vec<(String, String, String, String)>>>;

const BOT: &str = "github-actions[bot]";
const MARK: &str = "<!-- pagesight shop pagesight-run -->\n";

fn bot(login: &str) -> Value {
    json!({ "type": "Bot", "login": login })
}

/// Starts a server that answers as GitHub does, with one comment if one was written.
async fn api() -> (String, Requests) {
    let requests = Requests::default();
    let answer = |State(requests): State<Requests>,
                  method: Method,
                  uri: Uri,
                  headers: HeaderMap,
                  body: String| async move {
        let token = headers.get("authorization").map(|it| it.to_str().unwrap().to_owned());
        let mut requests = requests.lock().unwrap();
        requests.push((method.to_string(), uri.to_string(), token.unwrap_or_default(), body));
        let written = requests.iter().rev().find(|request| request.0 != "GET");
        let comments: Vec<Value> = written
            .map(|request| serde_json::from_str::<Value>(&request.3).unwrap())
            .map(|sent| json!({ "id": 42, "user": bot(BOT), "body": sent["body"] }))
            .into_iter()
            .collect();
        // Comments of others with the same text are not replaced, nor those of a different use of
        // the Action. A comment may have neither text nor author.
        let others = [
            json!({ "id": 38, "user": null, "body": null }),
            json!({ "id": 39, "user": bot(BOT), "body": "<!-- pagesight shop other-run -->\n" }),
            json!({ "id": 40, "user": bot("other[bot]"), "body": MARK }),
            json!({ "id": 41, "user": { "type": "User", "login": BOT }, "body": MARK }),
        ];
        Json([others.to_vec(), comments].concat()).into_response()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(answer).with_state(requests.clone());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (format!("http://{address}"), requests)
}

struct Runner {
    folder: PathBuf,
    tools: tempfile::TempDir,
    attempt: &'static str,
}

impl Runner {
    fn new(folder: &Path) -> Runner {
        let tools = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(program(), tools.path().join("pagesight")).unwrap();
        Runner { folder: folder.to_owned(), tools, attempt: "1" }
    }

    /// Runs a step; returns what it printed and its outputs.
    async fn step(
        &self,
        script: &str,
        variables: &[(&str, &str)],
    ) -> (Output, Vec<(String, String)>) {
        let file = self.tools.path().join("output");
        std::fs::write(&file, "").unwrap();
        let mut command = Command::new(action().join(script));
        let path = format!("{}:{}", self.tools.path().display(), std::env::var("PATH").unwrap());
        command.current_dir(&self.folder).env("PATH", path);
        for name in
            ["CI", "GITHUB_STEP_SUMMARY", "http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"]
        {
            command.env_remove(name);
        }
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_RUN_ID", "77").env("NO_PROXY", "*");
        command.env("GITHUB_RUN_ATTEMPT", self.attempt).env("GITHUB_OUTPUT", &file);
        command.env("GITHUB_REPOSITORY", "owner/shop").env("PAGESIGHT_ARTIFACT", "pagesight-run");
        command.env("GITHUB_WORKFLOW", "shop").env("PAGESIGHT_AUTHOR", BOT);
        command.envs(variables.iter().copied());
        let output = run(command).await;
        let text = std::fs::read_to_string(&file).unwrap();
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        (output, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// Runs a shard and stores its artifact where the merge job finds it.
    async fn shard(&self, shard: &str, more: &str) -> Option<String> {
        let (code, run, artifact) = self.run_shard(shard, more).await;
        let to = self.folder.join(".pagesight/shards").join(artifact);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::rename(run, to).unwrap();
        Some(code)
    }

    /// Runs a shard; returns its exit code, the folder of its run and the name of its artifact.
    async fn run_shard(&self, shard: &str, more: &str) -> (String, PathBuf, String) {
        let variables = [
            ("PAGESIGHT_FILE", "pages.toml"),
            ("PAGESIGHT_MODE", "check"),
            ("PAGESIGHT_SHARD", shard),
            ("PAGESIGHT_ARGUMENTS", more),
        ];
        let (output, outputs) = self.step("check.sh", &variables).await;
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let of = |name: &str| outputs.iter().find(|it| it.0 == name).unwrap().1.clone();
        (of("exit-code"), self.folder.join(of("folder")), of("artifact"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_check_merge_and_comment() {
    let served = serve().await;
    let folder = project(&served, "retries = 0");
    let at = folder.path();
    ended(0, check(at, &[]).await);
    let before = baselines(at);
    served.shop.lock().unwrap().broken = [(3, 0)].into();
    let mut runner = Runner::new(at);
    let (installed, _) = runner.step("install.sh", &[("PAGESIGHT_VERSION", "none")]).await;
    assert!(
        installed.status.success() && said(&installed).contains("pagesight 0."),
        "{}",
        said(&installed)
    );
    let (refused, _) = runner.step("install.sh", &[("PAGESIGHT_VERSION", "1; true")]).await;
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));

    let (none, outputs) = runner.step("merge.sh", &[]).await;
    assert_eq!((none.status.code(), outputs.len()), (Some(2), 0), "{}", said(&none));
    assert_eq!(
        runner.shard("1/2", "--jobs=2\n--base-url=http://127.0.0.1:9\n").await,
        Some("2".into())
    );
    runner.attempt = "2";
    let retried = runner.shard("1/2", "--jobs=2").await;
    runner.attempt = "1";
    let second = runner.shard("2/2", "").await;
    let codes = BTreeSet::from([retried.unwrap(), second.unwrap()]);
    assert_eq!(codes, ["0", "1"].map(str::to_owned).into(), "the broken page is in one of them");
    let (merged, outputs) = runner.step("merge.sh", &[]).await;
    assert_eq!(merged.status.code(), Some(0), "{}", said(&merged));
    assert_eq!(
        outputs,
        [("exit-code".into(), "1".into()), ("folder".into(), ".pagesight/run".into())]
    );
    has(&said(&merged), "8 pages: 7 unchanged, 1 changed");

    let (url, requests) = api().await;
    let variables = [
        ("GITHUB_API_URL", url.as_str()),
        ("PAGESIGHT_TOKEN", "t0ken"),
        ("PAGESIGHT_PULL_REQUEST", "5"),
    ];
    for _ in 0..2 {
        let (output, _) = runner.step("comment.sh", &variables).await;
        assert!(output.status.success() && !said(&output).contains("warning"), "{}", said(&output));
    }
    let requests = std::mem::take(&mut *requests.lock().unwrap());
    let sent: Vec<(&str, &str)> =
        requests.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
    let list = "/repos/owner/shop/issues/5/comments?per_page=100&page=1";
    assert_eq!(
        sent,
        [
            ("GET", list),
            ("POST", "/repos/owner/shop/issues/5/comments"),
            ("GET", list),
            ("PATCH", "/repos/owner/shop/issues/comments/42"),
        ]
    );
    assert!(requests.iter().all(|request| request.2 == "Bearer t0ken"), "{requests:?}");
    let comment = serde_json::from_str::<Value>(&requests[1].3).unwrap();
    let comment = comment["body"].as_str().unwrap();
    assert!(comment.starts_with(MARK), "{comment}");
    has(comment, "gh run download 77 --name pagesight-run --dir .pagesight/run");
    has(comment, "p-3 (chromium 1280x720)");
    // A server that is away is a warning; the check has its own result.
    let away = [("GITHUB_API_URL", "http://127.0.0.1:9"), variables[1], variables[2]];
    let (output, _) = runner.step("comment.sh", &away).await;
    assert!(output.status.success() && said(&output).contains("::warning::"), "{}", said(&output));

    // The author accepts what was downloaded.
    ended(0, check(at, &["accept"]).await);
    let changed: Vec<String> = baselines(at)
        .into_iter()
        .filter(|(name, text)| before.get(name) != Some(text))
        .map(|it| it.0)
        .collect();
    assert_eq!(changed, ["p-3@chromium-1280x720.json", "p-3@chromium-1280x720.png"]);
}

/// A single shard is downloaded without its folder.
#[tokio::test(flavor = "multi_thread")]
async fn one_shard_is_merged_without_what_was_committed() {
    let served = serve().await;
    let folder = project(&served, "retries = 0");
    let at = folder.path();
    ended(0, check(at, &[]).await);
    let runner = Runner::new(at);
    let shards = at.join(".pagesight/shards");
    std::fs::create_dir_all(shards.join("pagesight-run-shard-9-attempt-9")).unwrap();
    std::fs::write(at.join(".pagesight/comment.md"), "planted").unwrap();
    let variables = [("PAGESIGHT_FOLDER", at.to_str().unwrap())];
    let (cleaned, _) = runner.step("clean.sh", &variables).await;
    assert!(cleaned.status.success(), "{}", said(&cleaned));
    assert!(!shards.exists() && !at.join(".pagesight/comment.md").exists());

    let (code, run, _) = runner.run_shard("1/1", "").await;
    assert_eq!(code, "0");
    std::fs::rename(run, &shards).unwrap();
    let (merged, outputs) = runner.step("merge.sh", &[]).await;
    assert_eq!(merged.status.code(), Some(0), "{}", said(&merged));
    assert_eq!(outputs[0], ("exit-code".into(), "0".into()));
    has(&said(&merged), "8 pages: 8 unchanged");
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_that_would_become_outputs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runner = Runner::new(folder.path());
    for (mode, artifact, shard, says) in [
        ("check", "x\nexit-code=0", "", "artifact may only have letters"),
        ("check", "", "", "artifact may only have letters"),
        ("check", "run", "1/1\nfolder=/", "shard must be two numbers"),
        ("check", "run", "1", "shard must be two numbers"),
        ("Check", "run", "", "mode must be check, merge or all"),
        ("all", "run", "1/2", "a shard needs mode: check"),
    ] {
        let variables = [
            ("PAGESIGHT_FILE", "pages.toml"),
            ("PAGESIGHT_MODE", mode),
            ("PAGESIGHT_ARTIFACT", artifact),
            ("PAGESIGHT_SHARD", shard),
        ];
        let (refused, outputs) = runner.step("check.sh", &variables).await;
        assert_eq!((refused.status.code(), outputs.len()), (Some(2), 0), "{}", said(&refused));
        has(&said(&refused), says);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_no_link_and_answers_may_be_anything() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let runner = Runner::new(at);
    let secret = at.join("secret");
    std::fs::write(&secret, "not for comments").unwrap();
    std::fs::create_dir(at.join(".pagesight")).unwrap();
    let file = at.join(".pagesight/comment.md");
    std::os::unix::fs::symlink(&secret, &file).unwrap();
    let requests = Requests::default();
    // Neither is a list of comments.
    let answer = |State(requests): State<Requests>, method: Method, uri: Uri| async move {
        let mut requests = requests.lock().unwrap();
        requests.push((method.to_string(), uri.to_string(), String::new(), String::new()));
        if requests.len() == 1 { "<html>" } else { "{\"message\": \"x\"}" }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().fallback(answer).with_state(requests.clone());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let with = |token: &'static str| {
        let pull_request = ("PAGESIGHT_PULL_REQUEST", "5");
        [("GITHUB_API_URL", url.as_str()), ("PAGESIGHT_TOKEN", token), pull_request]
    };
    let (refused, _) = runner.step("comment.sh", &with("t0ken")).await;
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    has(&said(&refused), "is a link or not a file");
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, "8 pages passed").unwrap();
    for token in ["", "t0ken\"\nurl = \"http://127.0.0.1:9"] {
        let (refused, _) = runner.step("comment.sh", &with(token)).await;
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        has(&said(&refused), "the token is empty or has other characters");
    }
    assert!(requests.lock().unwrap().is_empty());
    for _ in 0..2 {
        let (output, _) = runner.step("comment.sh", &with("t0ken")).await;
        assert!(output.status.success() && !said(&output).contains("warning"), "{}", said(&output));
    }
    let sent: Vec<String> = requests.lock().unwrap().iter().map(|it| it.0.clone()).collect();
    assert_eq!(sent, ["GET", "POST", "GET", "POST"]);
}

#[test]
fn each_step_gives_its_script_the_variables_that_it_reads() {
    let text = std::fs::read_to_string(action().join("action.yml")).unwrap();
    let mut scripts = BTreeSet::new();
    for step in text.split("\n    - name: ").skip(1) {
        let Some((_, rest)) = step.split_once("$GITHUB_ACTION_PATH/") else { continue };
        let script = rest.split('"').next().unwrap();
        scripts.insert(script.to_owned());
        let read = std::fs::read_to_string(action().join(script)).unwrap();
        for word in read.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let given = step.contains(&format!("        {word}: "));
            assert!(!word.starts_with("PAGESIGHT_") || given, "{script} reads {word}");
        }
    }
    let files = std::fs::read_dir(action()).unwrap().flatten();
    let files: BTreeSet<String> =
        files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let expected: BTreeSet<String> = scripts.into_iter().chain(["action.yml".to_owned()]).collect();
    assert_eq!(files, expected, "every script is a step");
}
