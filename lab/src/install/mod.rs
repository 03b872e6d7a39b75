//! Installs the apps' packages into target/sight, once: one folder for npm, one virtual environment
//! for Python, and the few files that the apps need to have something to show. Touches nothing
//! outside of that folder.

pub mod apps;

use std::path::{Path, PathBuf};

use anyhow::Context;
use tokio::process::Command;

use apps::Packages;

/// Makes what the apps show: pages, a notebook, flows, a database, a site with an administrator.
pub async fn prepare(folder: &Path) -> anyhow::Result<()> {
    let from = crate::root().join("lab/apps");
    for (file, to) in [
        ("frames.html", "apps"),
        ("inner.html", "apps"),
        ("nicegui_app.py", "apps"),
        ("gradio_app.py", "apps"),
        ("gallery.html", "npm"),
        ("swagger.html", "npm"),
        ("note.ipynb", "jupyter"),
        ("flows.json", "node-red"),
        ("settings.js", "node-red"),
    ] {
        std::fs::create_dir_all(folder.join(to))?;
        std::fs::copy(from.join(file), folder.join(to).join(file))
            .with_context(|| file.to_owned())?;
    }
    Ok(())
}

/// Installs what is not there yet.
pub async fn packages(folder: &Path, packages: &Packages) -> anyhow::Result<()> {
    match packages {
        Packages::None => Ok(()),
        Packages::Node(names) => {
            let npm = folder.join("npm");
            let bare = |name: &str| {
                name.rsplit_once('@')
                    .filter(|(name, _)| !name.is_empty())
                    .map_or(name.to_owned(), |(name, _)| name.to_owned())
            };
            if names
                .iter()
                .all(|name| npm.join("node_modules").join(bare(name)).join("package.json").exists())
            {
                return Ok(());
            }
            if !npm.join("package.json").exists() {
                std::fs::write(npm.join("package.json"), "{\"private\": true}\n")?;
            }
            let mut install = Command::new("npm");
            install
                .args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
                .args(*names)
                .current_dir(&npm);
            must(&mut install).await
        }
        Packages::Python(names) => {
            let venv = folder.join("venv");
            if !venv.join("bin/uv").exists() {
                must(Command::new("python3").args(["-m", "venv"]).arg(&venv)).await?;
                must(Command::new(venv.join("bin/pip")).args([
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "uv",
                ]))
                .await?;
            }
            for name in *names {
                let done = folder.join(format!("venv/{name}.installed"));
                if !done.exists() {
                    let mut install = Command::new(venv.join("bin/uv"));
                    must(
                        install.args(["pip", "install", "--quiet", name]).env("VIRTUAL_ENV", &venv),
                    )
                    .await?;
                    first_use(folder, name).await?;
                    std::fs::write(done, "")?;
                }
            }
            Ok(())
        }
    }
}

/// What an app needs once before it is started.
async fn first_use(folder: &Path, name: &str) -> anyhow::Result<()> {
    let python = folder.join("venv/bin/python");
    match name {
        "django" => {
            let project = folder.join("django");
            let _ = std::fs::remove_dir_all(&project);
            std::fs::create_dir_all(&project)?;
            let mut start = Command::new(folder.join("venv/bin/django-admin"));
            must(start.args(["startproject", "site_of_proof"]).arg(&project)).await?;
            must(
                Command::new(&python)
                    .arg(project.join("manage.py"))
                    .args(["migrate", "--verbosity=0"]),
            )
            .await?;
            let mut admin = Command::new(&python);
            admin.arg(project.join("manage.py")).args([
                "createsuperuser",
                "--noinput",
                "--username=admin",
                "--email=admin@example.org",
            ]);
            must(admin.env("DJANGO_SUPERUSER_PASSWORD", "sight")).await
        }
        "datasette" => {
            let script = "import sqlite3; db = sqlite3.connect('people.db'); db.execute('create table if not exists people (id integer primary key, name, age)'); \
                          db.executemany('insert into people (name, age) values (?, ?)', [(f'Person {n}', n) for n in range(30)]); db.commit()";
            must(Command::new(&python).args(["-c", script]).current_dir(folder)).await
        }
        _ => Ok(()),
    }
}

/// A folder below target/sight; `{html}` is where MiniWoB++ keeps its pages.
pub fn place(folder: &Path, below: &str) -> anyhow::Result<PathBuf> {
    if below != "{html}" {
        return Ok(folder.join(below));
    }
    let versions = std::fs::read_dir(folder.join("venv/lib"))?;
    let pages =
        versions.filter_map(|entry| Some(entry.ok()?.path().join("site-packages/miniwob/html")));
    pages.into_iter().find(|pages| pages.is_dir()).context("MiniWoB++ has no pages")
}

async fn must(command: &mut Command) -> anyhow::Result<()> {
    let output = command.stdin(std::process::Stdio::null()).output().await?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(
        output.status.success(),
        "{:?} failed: {}",
        command.as_std().get_program(),
        said.trim()
    );
    Ok(())
}
