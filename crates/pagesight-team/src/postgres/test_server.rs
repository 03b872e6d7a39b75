//! A PostgreSQL server for tests: a temporary cluster that ends with the test program. The file is
//! also used by the tests of the program and by the lab, so it needs nothing of this crate.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The password of the user `postgres`.
pub(crate) const PASSWORD: &str = "pa:ss wörd";
const START_LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct TestServer {
    /// The folder of the cluster.
    pub(crate) folder: PathBuf,
    /// The port, on 127.0.0.1.
    pub(crate) port: u16,
    /// The certificate of the server, if OpenSSL could make one.
    pub(crate) certificate: Option<PathBuf>,
    bin: PathBuf,
    process: Child,
}

/// Returns the server of this test program. Without PostgreSQL, notes that `what` is skipped.
pub(crate) fn server(what: &str) -> Option<&'static TestServer> {
    static SERVER: OnceLock<Option<TestServer>> = OnceLock::new();
    let server = SERVER.get_or_init(|| find().map(|bin| TestServer::start(&bin, "fsync=off")));
    if server.is_none() {
        skipped(&format!("{what}: PostgreSQL is not installed"));
    }
    server.as_ref()
}

fn skipped(line: &str) {
    if let Ok(file) = std::env::var("PAGESIGHT_TEST_SKIPS") {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
        let _ = opened.and_then(|mut file| writeln!(file, "{line}"));
    }
}

/// Returns the folder of the newest PostgreSQL's programs.
pub(crate) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut packaged: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    packaged.sort();
    found.extend(packaged);
    let programs = ["initdb", "postgres", "pg_isready", "psql"];
    found.into_iter().rev().find(|bin| programs.iter().all(|name| bin.join(name).is_file()))
}

/// Returns a command that runs as a user who may start PostgreSQL, which root may not.
fn as_user(program: &Path) -> Command {
    let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout == b"0\n");
    if !root {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

impl TestServer {
    /// Creates a cluster and starts it with a setting.
    pub(crate) fn start(bin: &Path, setting: &str) -> TestServer {
        let made = as_user(Path::new("mktemp")).args(["-d", "/tmp/pagesight-pg.XXXXXX"]).output();
        let made = String::from_utf8(made.expect("mktemp").stdout).expect("a path");
        let folder = PathBuf::from(made.trim());
        let shell = |script: &str| {
            let done = as_user(Path::new("sh")).args(["-ec", script]).stdin(Stdio::null()).output();
            let done = done.expect("sh");
            assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
        };
        let (bin_path, at) = (bin.display(), folder.display());
        shell(&format!(
            "printf '%s\\n' '{PASSWORD}' >{at}/password
             {bin_path}/initdb -D {at}/data -U postgres -A scram-sha-256 --pwfile={at}/password \
                 -E UTF8 --locale=C --no-sync >/dev/null
             rm {at}/password"
        ));
        let certificate = folder.join("server.crt");
        let openssl = as_user(Path::new("openssl"))
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj"])
            .args(["/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .arg("-keyout")
            .arg(folder.join("server.key"))
            .arg("-out")
            .arg(&certificate)
            .output();
        let certificate = openssl.is_ok_and(|done| done.status.success()).then_some(certificate);
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .map(|address| address.port())
            .expect("a free port");
        let process = launch(bin, &folder, port, certificate.is_some(), setting);
        let server = TestServer { folder, port, certificate, bin: bin.to_owned(), process };
        server.wait();
        server
    }

    /// Waits until the server accepts connections.
    fn wait(&self) {
        let begun = Instant::now();
        let ready = || {
            let mut command = Command::new(self.bin.join("pg_isready"));
            command.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
            command.status().is_ok_and(|status| status.success())
        };
        while !ready() {
            assert!(begun.elapsed() < START_LIMIT, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the server at once, as if it had crashed, and starts it again after `pause`.
    #[allow(dead_code, reason = "not every user of this file does it")]
    pub(crate) fn crash(&mut self, pause: Duration, setting: &str) {
        let file = self.folder.join("data/postmaster.pid");
        let pid = std::fs::read_to_string(file).expect("postmaster.pid");
        let pid = pid.lines().next().unwrap_or_default().to_owned();
        let keep = self.folder.join("keep");
        std::fs::write(&keep, "").expect("keep");
        // SIGQUIT: ends without a checkpoint, so that the next start has to recover.
        let _ = Command::new("kill").args(["-QUIT", &pid]).status();
        drop(self.process.stdin.take());
        let _ = self.process.wait();
        let _ = std::fs::remove_file(&keep);
        std::thread::sleep(pause);
        let tls = self.certificate.is_some();
        self.process = launch(&self.bin, &self.folder, self.port, tls, setting);
        self.wait();
    }

    /// Returns the address of a schema, over TCP.
    pub(crate) fn address(&self, schema: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres?schema={schema}", self.port)
    }

    /// Runs statements with psql and returns what it prints.
    #[allow(dead_code, reason = "not every user of this file does it")]
    pub(crate) fn psql(&self, statements: &str) -> String {
        let done = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres"])
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-c", statements])
            .env("PGPASSWORD", PASSWORD)
            .output()
            .expect("psql");
        assert!(done.status.success(), "{statements}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }
}

/// Starts the server under a shell that ends it when its standard input closes, however this
/// program ends.
fn launch(bin: &Path, folder: &Path, port: u16, tls: bool, setting: &str) -> Child {
    let (bin, at) = (bin.display(), folder.display());
    let tls = match tls {
        true => {
            format!("-c ssl=on -c ssl_cert_file={at}/server.crt -c ssl_key_file={at}/server.key")
        }
        false => String::new(),
    };
    let script = format!(
        "{bin}/postgres -D {at}/data -p {port} -c listen_addresses=127.0.0.1 \
             -c unix_socket_directories={at} -c max_connections=120 -c {setting} {tls} \
             </dev/null >>{at}/log 2>&1 &
         pid=$!
         read word
         kill -INT $pid 2>/dev/null
         wait $pid
         [ -e {at}/keep ] || rm -rf {at}"
    );
    as_user(Path::new("sh"))
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh")
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
