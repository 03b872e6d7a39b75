//! Connections: certificates, proxies, logins of servers, and headers that only their origin gets.

use std::sync::{Arc, Mutex};

use md5::{Digest, Md5};
use pagesight_browser::lock;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::support::{Client, has, lacks, no_firefox, outside_ci};

/// A server on 127.0.0.1 that notes the heads of its requests and answers each as a test says.
struct Server {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

/// Answers the head of a request with a whole response.
type Respond = fn(&str) -> String;

impl Server {
    async fn start(respond: Respond) -> Server {
        Server::start_as(None, respond).await
    }

    async fn with_certificate(certificate: TlsAcceptor) -> Server {
        Server::start_as(Some(certificate), |_| page("Safe", "")).await
    }

    async fn start_as(certificate: Option<TlsAcceptor>, respond: Respond) -> Server {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = heads.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (certificate, noted) = (certificate.clone(), noted.clone());
                tokio::spawn(async move {
                    match certificate {
                        None => answer(stream, &noted, respond).await,
                        // A browser that does not trust it ends the connection.
                        Some(certificate) => {
                            if let Ok(stream) = certificate.accept(stream).await {
                                answer(stream, &noted, respond).await;
                            }
                        }
                    }
                });
            }
        });
        Server { port, heads, task }
    }

    fn origin(&self, host: &str) -> String {
        format!("http://{host}:{}", self.port)
    }

    /// Returns the heads of the requests for a path.
    fn heads_of(&self, path: &str) -> Vec<String> {
        let heads = lock(&self.heads);
        let is_for = |head: &&String| {
            head.split(' ').nth(1).is_some_and(|at| at.split('?').next() == Some(path))
        };
        heads.iter().filter(is_for).cloned().collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer<S>(mut stream: S, noted: &Mutex<Vec<String>>, respond: Respond)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && head.len() < 20_000 {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    lock(noted).push(head.clone());
    let _ = stream.write_all(respond(&head).as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Returns a response without a body.
fn bare(status: &str, headers: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n")
}

/// Returns a page with this heading.
fn page(heading: &str, more: &str) -> String {
    let body = format!("<!doctype html><title>{heading}</title><h1>{heading}</h1>{more}");
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Headers: *\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Returns the program with arguments.
fn command(arguments: &[&str]) -> std::process::Command {
    let mut command = outside_ci();
    command.args(arguments);
    command
}

/// Returns the value of a header of a request; none if it was not sent.
fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn names() -> Vec<String> {
    vec!["localhost".to_owned(), "127.0.0.1".to_owned()]
}

fn acceptor(certificate: CertificateDer<'static>, key: &KeyPair) -> TlsAcceptor {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

fn self_signed() -> TlsAcceptor {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(names()).unwrap();
    acceptor(params.self_signed(&key).unwrap().der().clone(), &key)
}

fn expired() -> TlsAcceptor {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(names()).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2021, 1, 1);
    acceptor(params.self_signed(&key).unwrap().der().clone(), &key)
}

/// Returns a server's certificate of a private authority, and the authority's own certificate.
fn of_authority() -> (TlsAcceptor, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(names()).unwrap().signed_by(&key, &issuer).unwrap();
    (acceptor(certificate.der().clone(), &key), issuer.pem())
}

both_engines!(certificates_need_not_be_checked);

async fn certificates_need_not_be_checked() {
    let (one, other) = (self_signed(), expired());
    let (one, other) = (Server::with_certificate(one).await, Server::with_certificate(other).await);
    let urls = [&one, &other].map(|server| format!("https://127.0.0.1:{}/", server.port));
    let strict = Client::shared(&[]).await;
    for url in &urls {
        let failed = strict.fails("browser_navigate", json!({ "url": url })).await;
        has(&failed, "could not be loaded");
    }
    strict.close().await;
    let client = Client::start(&["--ignore-https-errors"]).await;
    for url in &urls {
        has(&client.ok("browser_navigate", json!({ "url": url })).await.text, "heading 1: Safe");
    }
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_authority_is_trusted_by_this_browser_only() {
    let (certificate, authority) = of_authority();
    let server = Server::with_certificate(certificate).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, authority).unwrap();
    let file = file.to_str().unwrap();
    let url = format!("https://localhost:{}/", server.port);
    // Without the program that writes the database, the flag is refused and nothing is started.
    let browser = pagesight_browser::discover::find_chromium().unwrap();
    let environment = [("PATH", "/nonexistent"), ("PAGESIGHT_BROWSER", browser.to_str().unwrap())];
    let mut refused = command(&["look", &url, "--ca", file]);
    let output = refused.envs(environment).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    has(&said, "certutil is missing; install the package libnss3-tools");
    let has_certutil = std::process::Command::new("certutil").arg("-H").output().is_ok();
    if !has_certutil {
        if let Ok(skips) = std::env::var("PAGESIGHT_TEST_SKIPS") {
            let mut skips =
                std::fs::OpenOptions::new().append(true).create(true).open(skips).unwrap();
            std::io::Write::write_all(&mut skips, b"--ca: certutil is missing\n").unwrap();
        }
        return;
    }
    let client = Client::start(&["--ca", file]).await;
    has(&client.ok("browser_navigate", json!({ "url": url })).await.text, "heading 1: Safe");
    client.close().await;
    let strict = Client::shared(&[]).await;
    has(&strict.fails("browser_navigate", json!({ "url": url })).await, "could not be loaded");
    strict.close().await;
    // A file that is not a certificate is refused, too.
    let wrong = folder.path().join("wrong.pem");
    std::fs::write(&wrong, "no certificate").unwrap();
    let output = command(&["look", &url, "--ca", wrong.to_str().unwrap()]).output().unwrap();
    has(&String::from_utf8_lossy(&output.stderr), "is not a certificate that can be used");
}

/// A proxy that wants the name `ci` and the password `hunter22`.
fn proxy(head: &str) -> String {
    match header(head, "proxy-authorization") {
        // Basic, ci:hunter22
        Some("Basic Y2k6aHVudGVyMjI=") => {
            page("Through the proxy", head.split(' ').nth(1).unwrap())
        }
        _ => bare(
            "407 Proxy Authentication Required",
            "Proxy-Authenticate: Basic realm=\"proxy\"\r\n",
        ),
    }
}

both_engines!(a_proxy_gets_its_password);

async fn a_proxy_gets_its_password() {
    let server = Server::start(proxy).await;
    let address = server.origin("127.0.0.1");
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--proxy", &address, "--proxy-bypass", "<-loopback>"];
    let login = [("PAGESIGHT_PROXY_USER", "ci"), ("PAGESIGHT_PROXY_PASSWORD", "hunter22")];
    let log = folder.path().join("log");
    let client = Client::start_logged(folder.path(), &arguments, &login, &log).await;
    for url in ["http://app.test/start", "http://127.0.0.1:8099/loopback"] {
        let seen = client.ok("browser_navigate", json!({ "url": url })).await.text;
        has(&seen, "heading 1: Through the proxy");
        has(&seen, url);
        lacks(&seen, "hunter22");
    }
    client.close().await;
    // A wrong password is not sent again and again.
    let wrong = [("PAGESIGHT_PROXY_USER", "ci"), ("PAGESIGHT_PROXY_PASSWORD", "wrong-one")];
    let client = Client::start_logged(folder.path(), &arguments, &wrong, &log).await;
    client.call("browser_navigate", json!({ "url": "http://app.test/wrong" })).await;
    let tries = server.heads_of("http://app.test/wrong").len();
    assert!((1..=6).contains(&tries), "{tries} tries");
    client.close().await;
}

/// Serves members: `/basic` and `/digest` want the name `ci` and the password `hunter22`.
fn members(head: &str) -> String {
    let path = head.split(' ').nth(1).unwrap_or_default();
    let given = header(head, "authorization");
    match (path, given) {
        ("/basic", Some("Basic Y2k6aHVudGVyMjI=")) => page("Basic member", ""),
        ("/basic", _) => bare("401 Unauthorized", "WWW-Authenticate: Basic realm=\"members\"\r\n"),
        ("/digest", Some(given)) if is_digest(given) => page("Digest member", ""),
        ("/digest", _) => bare(
            "401 Unauthorized",
            "WWW-Authenticate: Digest realm=\"members\", qop=\"auth\", nonce=\"n1\", algorithm=MD5\r\n",
        ),
        _ => page("Open", ""),
    }
}

fn is_digest(given: &str) -> bool {
    let part = |name: &str| {
        let at = given.find(&format!("{name}="))? + name.len() + 1;
        given[at..].split([',', ' ']).next().map(|value| value.trim_matches('"').to_owned())
    };
    let md5 = |text: String| -> String {
        Md5::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let (Some(nc), Some(cnonce), Some(response)) = (part("nc"), part("cnonce"), part("response"))
    else {
        return false;
    };
    let one = md5("ci:members:hunter22".to_owned());
    let two = md5("GET:/digest".to_owned());
    response == md5(format!("{one}:n1:{nc}:{cnonce}:auth:{two}"))
}

both_engines!(servers_of_an_origin_get_a_login);

async fn servers_of_an_origin_get_a_login() {
    let (ours, other) = (Server::start(members).await, Server::start(members).await);
    let folder = tempfile::tempdir().unwrap();
    let origin = ours.origin("127.0.0.1");
    let login = [("PAGESIGHT_HTTP_USER", "ci"), ("PAGESIGHT_HTTP_PASSWORD", "hunter22")];
    let log = folder.path().join("log");
    let client =
        Client::start_logged(folder.path(), &["--http-credentials", &origin], &login, &log).await;
    for (path, heading) in [("basic", "Basic member"), ("digest", "Digest member")] {
        let url = format!("{origin}/{path}");
        has(&client.ok("browser_navigate", json!({ "url": url })).await.text, heading);
    }
    // A different port is a different origin.
    let url = format!("{}/basic", other.origin("127.0.0.1"));
    client.call("browser_navigate", json!({ "url": url })).await;
    assert!(other.heads_of("/basic").iter().all(|head| header(head, "authorization").is_none()));
    client.close().await;
}

/// Serves a page with a frame and a worker of its own, and one that redirects to a different
/// origin.
fn parts(head: &str) -> String {
    let path = head.split(' ').nth(1).unwrap_or_default();
    match path.split_once('?').unwrap_or((path, "")) {
        ("/redirect", to) => {
            bare("302 Found", &format!("Location: {to}\r\nAccess-Control-Allow-Origin: *\r\n"))
        }
        ("/start", other) => page(
            "Start",
            &format!(
                "<iframe src='/frame'></iframe><iframe src='{other}/foreign'></iframe>\
                 <iframe src='/redirect?{other}/redirected'></iframe><script>\
                 new Worker(URL.createObjectURL(new Blob([`fetch('${{location.origin}}/by-worker')`])));\
                 fetch('/fetched'); fetch('{other}/fetched-elsewhere', {{ mode: 'no-cors' }});\
                 fetch('/redirect?{other}/fetched-away', {{ mode: 'no-cors' }});</script>"
            ),
        ),
        ("/echo", _) => page(header(head, "x-key").unwrap_or_default(), ""),
        _ => page("Part", ""),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_goes_to_its_origin_and_to_no_other() {
    let (ours, other) = (Server::start(parts).await, Server::start(parts).await);
    let origin = ours.origin("127.0.0.1");
    let elsewhere = other.origin("localhost");
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--header",
        &format!("{origin}=X-Key:Bearer ${{KEY}}"),
        "--header",
        &format!("{origin}=Accept-Language:tlh"),
    ];
    let log = folder.path().join("log");
    let client =
        Client::start_logged(folder.path(), &arguments, &[("KEY", "hunter22")], &log).await;
    client.ok("browser_navigate", json!({ "url": format!("{origin}/start?{elsewhere}") })).await;
    for path in ["/start", "/frame", "/by-worker", "/fetched", "/redirect"] {
        let heads = ours.heads_of(path);
        assert!(!heads.is_empty(), "{path} was requested");
        for head in heads {
            assert_eq!(header(&head, "x-key"), Some("Bearer hunter22"), "{path}: {head}");
            assert_eq!(header(&head, "accept-language"), Some("tlh"), "{path}: {head}");
        }
    }
    for path in ["/foreign", "/redirected", "/fetched-elsewhere", "/fetched-away"] {
        let heads = other.heads_of(path);
        assert!(!heads.is_empty(), "{path} was requested");
        for head in heads {
            assert_eq!(header(&head, "x-key"), None, "{path}: {head}");
            assert_ne!(header(&head, "accept-language"), Some("tlh"), "{path}: {head}");
        }
    }
    // A navigation that is redirected takes nothing with it, either.
    client
        .ok("browser_navigate", json!({ "url": format!("{origin}/redirect?{elsewhere}/away") }))
        .await;
    assert!(other.heads_of("/away").iter().all(|head| header(head, "x-key").is_none()));
    let listed = client.ok("page_log", json!({ "since": "start", "kind": "network" })).await.text;
    lacks(&listed, "hunter22");
    let echoed = client.ok("browser_navigate", json!({ "url": format!("{origin}/echo") })).await;
    has(&echoed.text, "Bearer ${KEY}");
    lacks(&echoed.text, "hunter22");
    client.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_cannot_have_a_connection_is_not_started() {
    if no_firefox() {
        return;
    }
    for (arguments, says) in [
        (
            &["--header", "http://a=X-Key:1"][..],
            "sending a header to one origin only (--header) is not possible in Firefox; Chromium can do it",
        ),
        (
            &["--proxy", "socks5://a:1"],
            "a SOCKS proxy (--proxy) is not possible in Firefox; Chromium can do it",
        ),
    ] {
        let line = [&["look", "http://127.0.0.1:1/", "--browser", "firefox"], arguments].concat();
        let output = command(&line).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        has(&String::from_utf8_lossy(&output.stderr), says);
    }
}
