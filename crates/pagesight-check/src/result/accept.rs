//! Makes the pages of a stored run the new baselines, without visiting them again. A baseline that
//! changed since the run stays as it is.

use std::collections::HashSet;

use pagesight_core::compare::{Change, ChangeType, IgnoreRules, compare};

use super::error::RunError;
use super::folder::StoredRun;
use super::record::{PageFiles, PageRecord};
use crate::baseline::{Name, PageBaselines, digest, form, one_change, picture};

/// The outcome for the baseline of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// It is the new baseline.
    Accepted,
    /// The baseline is as the run saw the page.
    Already,
    /// It changed since the run and stays as it is.
    Conflict,
    /// It has changes of other types than those to accept, or was not chosen.
    LeftOut,
}

/// Which pages of a run are accepted.
#[derive(Clone, Debug, Default)]
pub struct AcceptRequest {
    /// Only the pages with these names, unless empty.
    pub only: Vec<String>,
    /// Only pages whose changes are all of these types, unless empty.
    pub types: Vec<ChangeType>,
    /// Only the records with these indices of jobs, if somebody chose them.
    pub chosen: Option<HashSet<usize>>,
}

/// The outcome for each page that has a new baseline.
#[derive(Debug, Default)]
pub struct AcceptedRun {
    /// The pages, in the order of the run.
    pub pages: Vec<(PageRecord, Acceptance)>,
    /// Why pages could not be accepted.
    pub errors: Vec<RunError>,
    /// Notes on pictures that were left out.
    pub notes: Vec<String>,
}

/// Accepts the pages of a run. What is written already is listed even if others fail.
pub fn accept(
    stored: &StoredRun,
    baselines: &PageBaselines,
    request: &AcceptRequest,
) -> Result<AcceptedRun, RunError> {
    let records = stored.records()?;
    let names: HashSet<&str> = records.iter().map(|record| record.name.as_str()).collect();
    if let Some(unknown) = request.only.iter().find(|name| !names.contains(name.as_str())) {
        let folder = stored.folder.display().to_string();
        return Err(RunError::UnknownPage { folder, name: unknown.clone() });
    }
    let mut done = AcceptedRun::default();
    for record in records.into_iter().filter(|record| record.baseline.is_some()) {
        if !request.only.is_empty() && !request.only.contains(&record.name) {
            continue;
        }
        let is_chosen = request.chosen.as_ref().is_none_or(|all| all.contains(&record.job));
        let accepted = match is_chosen && is_of_types(&record, &request.types) {
            false => Ok(Acceptance::LeftOut),
            true => accept_page(&record, stored, baselines, &mut done.notes),
        };
        match accepted {
            Ok(accepted) => done.pages.push((record, accepted)),
            Err(error) => done.errors.push(error),
        }
    }
    Ok(done)
}

/// Accepts one change of one page, given by its number in reports. The picture stays.
pub fn accept_change(
    stored: &StoredRun,
    baselines: &PageBaselines,
    name: &str,
    number: usize,
) -> Result<(PageRecord, Acceptance), RunError> {
    let folder = || stored.folder.display().to_string();
    let mut records: Vec<PageRecord> =
        stored.records()?.into_iter().filter(|record| record.name == name).collect();
    if records.len() > 1 {
        records.retain(|record| record.changes().len() >= number);
    }
    let record = match (records.pop(), records.is_empty()) {
        (None, _) => return Err(RunError::UnknownPage { folder: folder(), name: name.to_owned() }),
        (Some(_), false) => return Err(RunError::SeveralVariants { name: name.to_owned() }),
        (Some(record), true) => record,
    };
    let all = record.changes().len();
    let wanted = number.checked_sub(1).and_then(|at| record.changes().get(at)).cloned();
    let wanted = wanted.ok_or_else(|| RunError::NoChange { name: name.to_owned(), number, all })?;
    let alone = || RunError::NotAlone { name: name.to_owned(), number };
    let key = record.key();
    let (old, new) = (baselines.text(&key)?, stored.files(&record)?.baseline);
    let (old, new) = old.zip(new).ok_or_else(alone)?;
    if record.base.as_deref() != Some(&*digest(&old)) {
        return Ok((record, Acceptance::Conflict));
    }
    let read = |text: &str| form::read(text).map_err(|_| alone());
    let compared = compare(&read(&old)?, &read(&new)?, &IgnoreRules::default());
    // The severity is the project's, and positions are not stored.
    let is_wanted = |change: &&Change| {
        (change.kind, &change.description, &change.location)
            == (wanted.kind, &wanted.description, &wanted.location)
    };
    let change = compared.changes.iter().find(is_wanted).ok_or_else(alone)?;
    let made = one_change::with_change(&old, &new, change).ok_or_else(alone)?;
    baselines.save(&key, &made, baselines.picture(&key).as_deref())?;
    Ok((record, Acceptance::Accepted))
}

/// Reports whether all changes of a page are of these types.
fn is_of_types(record: &PageRecord, types: &[ChangeType]) -> bool {
    let changes = record.changes();
    types.is_empty() || (!changes.is_empty() && changes.iter().all(|it| types.contains(&it.kind)))
}

/// Saves the baseline of one page, unless it changed since the run.
fn accept_page(
    record: &PageRecord,
    stored: &StoredRun,
    baselines: &PageBaselines,
    notes: &mut Vec<String>,
) -> Result<Acceptance, RunError> {
    let name = &record.name;
    let damaged = |why: &str| RunError::damaged(&stored.folder, format!("{name:?} {why}"));
    Name::parse(name).map_err(|_| damaged("is not a valid name"))?;
    let PageFiles { baseline, after, .. } = stored.files(record)?;
    let baseline = baseline.ok_or_else(|| damaged("has no baseline"))?;
    let changed = || damaged("has a baseline that was changed");
    if record.baseline.as_deref() != Some(&*digest(&baseline)) {
        return Err(changed());
    }
    let fingerprint = form::read(&baseline).map_err(|_| changed())?;
    let after = after.filter(|_| record.keeps_picture);
    if after.as_ref().is_some_and(|png| !picture::is_png(png)) {
        return Err(damaged("has a picture that is not a PNG file"));
    }
    let key = record.key();
    let now = baselines.digest(&key)?;
    if now == record.baseline {
        return Ok(Acceptance::Already);
    }
    if now != record.base {
        return Ok(Acceptance::Conflict);
    }
    notes.extend(baselines.save_text(&key, &baseline, &fingerprint, after.as_deref())?);
    Ok(Acceptance::Accepted)
}
