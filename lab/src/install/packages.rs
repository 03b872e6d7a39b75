//! Installs packages of apps into `target/lab-apps`: one folder for npm, one virtual environment
//! for Python.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tokio::process::Command;

use super::{python_environment, run};

/// Installs packages of npm, unless all are there.
pub async fn node(folder: &Path, names: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let npm = folder.join("npm");
    let is_there = |name: &str| {
        let version = name.rfind('@').filter(|at| *at > 0);
        let bare = version.map_or(name, |at| &name[..at]);
        npm.join("node_modules").join(bare).join("package.json").exists()
    };
    if names.iter().all(|name| is_there(name.as_ref())) {
        return Ok(());
    }
    if !npm.join("package.json").exists() {
        std::fs::write(npm.join("package.json"), "{\"private\": true}\n")?;
    }
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&npm);
    run(install.args(names.iter().map(AsRef::as_ref))).await
}

/// Installs packages of PyPI into the virtual environment, unless they are there.
pub async fn python(folder: &Path, names: &[impl AsRef<str>]) -> anyhow::Result<()> {
    let venv = folder.join("venv");
    for name in names.iter().map(AsRef::as_ref) {
        let done = folder.join(format!("venv/{name}.installed"));
        if done.exists() {
            continue;
        }
        if !venv.join("bin/uv").exists() {
            python_environment(&venv).await?;
            let mut pip = Command::new(venv.join("bin/pip"));
            run(pip.args(["install", "--quiet", "--disable-pip-version-check", "uv"])).await?;
        }
        let mut install = Command::new(venv.join("bin/uv"));
        install.args(["pip", "install", "--quiet", name]).env("VIRTUAL_ENV", &venv);
        run(&mut install).await?;
        first_use(folder, name).await?;
        std::fs::write(done, "")?;
    }
    Ok(())
}

/// Makes what an app shows when its package is installed for the first time: a site with an
/// administrator for Django, a table for Datasette.
async fn first_use(folder: &Path, name: &str) -> anyhow::Result<()> {
    let python = folder.join("venv/bin/python");
    match name {
        "django" => {
            let project = folder.join("django");
            let _ = std::fs::remove_dir_all(&project);
            std::fs::create_dir_all(&project)?;
            let mut start = Command::new(folder.join("venv/bin/django-admin"));
            run(start.args(["startproject", "site_of_proof"]).arg(&project)).await?;
            run(Command::new(&python)
                .arg(project.join("manage.py"))
                .args(["migrate", "--verbosity=0"]))
            .await?;
            let mut admin = Command::new(&python);
            admin.arg(project.join("manage.py")).args([
                "createsuperuser",
                "--noinput",
                "--username=admin",
                "--email=admin@example.org",
            ]);
            run(admin.env("DJANGO_SUPERUSER_PASSWORD", "sight")).await
        }
        "datasette" => {
            let script = "import sqlite3; db = sqlite3.connect('people.db'); db.execute('create table if not exists people (id integer primary key, name, age)'); \
                          db.executemany('insert into people (name, age) values (?, ?)', [(f'Person {n}', n) for n in range(30)]); db.commit()";
            run(Command::new(&python).args(["-c", script]).current_dir(folder)).await
        }
        _ => Ok(()),
    }
}

/// Returns a folder of an app's files; `{html}` stands for the pages of MiniWoB++.
pub fn files(folder: &Path, below: &str) -> anyhow::Result<PathBuf> {
    if below != "{html}" {
        return Ok(folder.join(below));
    }
    let versions = std::fs::read_dir(folder.join("venv/lib"))?;
    let pages =
        versions.filter_map(|entry| Some(entry.ok()?.path().join("site-packages/miniwob/html")));
    pages.into_iter().find(|pages| pages.is_dir()).context("MiniWoB++ has no pages")
}
