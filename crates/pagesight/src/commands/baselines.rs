//! `pagesight baselines`: lists, shows, restores, deletes, exports and imports baselines.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use pagesight_check::baseline::{Baselines, Name, export, read_file};
use pagesight_check::clock::readable;
use pagesight_session::{Options, Session};
use serde_json::{Value, json};

use crate::cli::arguments::BaselinesCommand;
use crate::cli::file_error::unreadable;
use crate::cli::options::Output;
use crate::cli::print;
use crate::cli::store_arguments::StoreArguments;
use crate::project::store::ProjectStore;
use crate::tools::baselines;
use crate::tools::workspace::Workspace;

/// Runs a subcommand and prints its answer.
pub(crate) async fn run(
    command: BaselinesCommand,
    store: &StoreArguments,
    output: Output,
) -> anyhow::Result<()> {
    let store = ProjectStore::chosen(store.choice()?);
    let workspace = Workspace::with_store(Session::new(Options::default()), store);
    let answer = match command {
        BaselinesCommand::List => {
            let answer = baselines::list(&workspace).await?;
            if output == Output::Text {
                print::result(&listed(&answer));
                return Ok(());
            }
            answer
        }
        BaselinesCommand::Show { name } => baselines::show(&workspace, Name::parse(&name)?).await?,
        BaselinesCommand::History { name } => {
            baselines::history(&workspace, Name::parse(&name)?).await?
        }
        BaselinesCommand::Restore { name, version } => {
            baselines::restore(&workspace, Name::parse(&name)?, version).await?
        }
        BaselinesCommand::Delete { name } => {
            baselines::delete(&workspace, Name::parse(&name)?).await?
        }
        BaselinesCommand::Export { folder, names } => {
            let names =
                names.iter().map(|name| Name::parse(name)).collect::<Result<Vec<_>, _>>()?;
            let written =
                workspace.store.with_baselines(move |store| export(store, &folder, &names)).await?;
            json!({ "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>() })
        }
        BaselinesCommand::Import { paths } => import(&workspace, &paths).await?,
    };
    print::json(&answer, output);
    Ok(())
}

fn listed(answer: &Value) -> String {
    let store = answer["store"].as_str().unwrap_or_default();
    if answer["baselines"].as_array().is_none_or(Vec::is_empty) {
        return format!(
            "no baselines in {store}; save one: pagesight fingerprint URL --save NAME\n"
        );
    }
    let mut out = format!("{store}\n");
    for one in answer["baselines"].as_array().into_iter().flatten() {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        let (width, height) = (&one["viewport"]["width"], &one["viewport"]["height"]);
        let line = format!(
            "{}  {}  {width}x{height}  {} {}  {}  {}  versions: {}\n",
            text("name"),
            text("route"),
            text("scope"),
            text("depth"),
            text("hash"),
            readable(text("captured_at")),
            one["versions"]
        );
        out.push_str(&line);
    }
    out
}

/// Reads all files before the first one is saved, so that a broken file changes nothing.
async fn import(workspace: &Workspace, paths: &[PathBuf]) -> anyhow::Result<Value> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(json_files(path)?);
        } else {
            files.push(path.clone());
        }
    }
    let mut found = Vec::new();
    for path in &files {
        let text =
            std::fs::read_to_string(path).map_err(|error| anyhow!(unreadable(path, &error)))?;
        found.push(read_file(path, &text)?);
    }
    let names: Vec<String> = found.iter().map(|(name, _)| name.as_str().to_owned()).collect();
    let save_all = move |store: &dyn Baselines| {
        found.iter().try_for_each(|(name, fingerprint)| store.save(name, fingerprint).map(drop))
    };
    workspace.store.with_baselines(save_all).await?;
    Ok(json!({ "imported": names }))
}

fn json_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
