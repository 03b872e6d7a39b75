//! Makes a browser trust the certificate of an authority. On Linux, Chromium reads a database in
//! the user's home; the browser gets a home of its own in its temporary folder, which is removed
//! with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// The program that writes the database.
const CERTUTIL: &str = "certutil";
/// How long it may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Makes a database that trusts the certificate in a file. Returns the environment of the browser
/// that uses it; the error is a reason.
pub(super) async fn trust(
    certificate: &Path,
    temporary: &Path,
) -> Result<Vec<(OsString, OsString)>, String> {
    if !cfg!(target_os = "linux") {
        return Err("a certificate authority is possible on Linux only; add it to the system's store instead".to_owned());
    }
    let shown = certificate.display();
    if let Err(error) = std::fs::read(certificate) {
        return Err(format!("cannot read the certificate {shown}: {error}"));
    }
    let certificate = std::path::absolute(certificate).unwrap_or_else(|_| certificate.to_owned());
    let home = temporary.join("home");
    let folder = home.join(".pki").join("nssdb");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create a database of certificates: {error}"))?;
    let mut database = OsString::from("sql:");
    database.push(&folder);
    let run = async |arguments: Vec<OsString>| run(arguments).await;
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let mut made = words(&["-N", "--empty-password", "-d"]);
    made.push(database.clone());
    run(made).await?;
    let mut added = words(&["-A", "-n", "pagesight", "-t", "C,,", "-i"]);
    added.push(certificate.into_os_string());
    added.push("-d".into());
    added.push(database);
    run(added)
        .await
        .map_err(|reason| format!("{shown} is not a certificate that can be used: {reason}"))?;
    Ok(vec![
        ("HOME".into(), home.clone().into_os_string()),
        // Fonts and settings of the user stay.
        ("XDG_CONFIG_HOME".into(), user_folder("XDG_CONFIG_HOME", ".config")),
        ("XDG_CACHE_HOME".into(), user_folder("XDG_CACHE_HOME", ".cache")),
        ("XDG_DATA_HOME".into(), home.join(".local/share").into_os_string()),
    ])
}

fn user_folder(variable: &str, below_home: &str) -> OsString {
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    std::env::var_os(variable).unwrap_or_else(|| home().join(below_home).into_os_string())
}

async fn run(arguments: Vec<OsString>) -> Result<(), String> {
    let mut command = tokio::process::Command::new(CERTUTIL);
    command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(LIMIT, command.output()).await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err("certutil is missing; install the package libnss3-tools (Debian, Ubuntu), nss-tools (Fedora) or nss (Arch)".to_owned());
        }
        Ok(Err(error)) => return Err(format!("certutil cannot be run: {error}")),
        Err(_) => return Err(format!("certutil did not end within {} s", LIMIT.as_secs())),
    };
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().last().unwrap_or("certutil failed").trim().to_owned())
}
