//! Visits one page in a new tab: runs its actions, takes the fingerprint, compares it, and takes a
//! picture if one is wanted. Closes the tab in every case and keeps the time limit of the page.

use std::sync::Arc;
use std::time::Instant;

use pagesight_core::compare::{Status, compare};
use pagesight_core::fingerprint::Fingerprint;
use pagesight_session::{
    FingerprintRequest, FingerprintWithPicture, ScopeChoice, SessionError, TabRecord, Viewport,
    WaitOutcome,
};

use super::browser::{CheckBrowser, looked_at_by};
use super::error::VisitError;
use super::model::{TakenPicture, Visit, VisitRequest};
use super::{pixels, steps, story};
use crate::plan::{Job, Plan, VisualSetting, problems};
use crate::wording::CHECK;

/// Visits a page. Checks before and after that the browser is the one that was set up.
pub(super) async fn visit(
    browser: &CheckBrowser,
    plan: &Plan,
    wanted: &VisitRequest<'_>,
) -> Result<Visit, VisitError> {
    let ready = browser.ready(plan.setup.as_ref()).await?;
    let job = wanted.job;
    let visited = async {
        let tab = browser.session.open_tab(None).await?;
        if !browser.is_still(ready.generation).await {
            // A new browser opened the tab, without the set-up.
            browser.close(&tab).await;
            return Err(VisitError::BrowserEnded);
        }
        let work = tokio::time::timeout(job.limit, look(browser, plan, &tab, wanted)).await;
        browser.close(&tab).await;
        work.map_err(|_| VisitError::TookTooLong(job.limit))?
    }
    .await;
    match visited {
        // Any error of a browser that ended counts as its end.
        Err(_) if !browser.is_still(ready.generation).await => Err(VisitError::BrowserEnded),
        Ok(mut visited) => {
            visited.notes.splice(0..0, ready.notes);
            Ok(visited)
        }
        failed => failed,
    }
}

async fn look(
    browser: &CheckBrowser,
    plan: &Plan,
    tab: &Arc<TabRecord>,
    wanted: &VisitRequest<'_>,
) -> Result<Visit, VisitError> {
    let (session, job) = (&browser.session, wanted.job);
    match job.emulation.device {
        Some(device) => session.set_device(tab, device).await?,
        None if job.viewport != Viewport::default() => {
            session.resize_tab(tab, job.viewport).await?;
        }
        None => {}
    }
    if !job.emulation.is_empty() {
        session.emulate(tab, &job.emulation).await?;
    }
    let until = looked_at_by(job.limit);
    let loading = until.saturating_duration_since(Instant::now());
    let navigated = session.navigate(tab, &job.url, Some(loading)).await?;
    let mut notes = Vec::new();
    match &navigated.outcome {
        WaitOutcome::Failed(why) | WaitOutcome::NoDocument(why) => {
            return Err(VisitError::NotLoaded(why.clone()));
        }
        outcome if !outcome.is_ready() && job.steps.is_empty() => {
            notes.push(CHECK.sentence(outcome, outcome.hint().as_ref()));
        }
        _ => {}
    }
    if navigated.url == "about:blank" && job.url.as_str() != "about:blank" {
        return Err(VisitError::NotAnswered(job.limit));
    }
    session.check_origin(tab).await?;
    status(job, navigated.status, wanted.keeps, &mut notes)?;
    if job.is_story
        && let Err(error) = story::rendered(session, tab, until).await
    {
        // It has a text of the page, which may be a different one by now.
        session.check_origin(tab).await?;
        return Err(error);
    }
    steps::run(session, tab, &job.steps, until).await?;
    let request = FingerprintRequest {
        scope: ScopeChoice::parse(Some(&job.scope)).map_err(SessionError::from)?,
        depth: job.depth,
        viewport: None,
        ignore: job.rules.selectors().map(str::to_owned).collect(),
        numbers: job.numbers,
        exact: job.exact.to_vec(),
        layout: job.visual.setting >= VisualSetting::Layout,
        mask: if job.visual.compares_pixels() { job.visual.masks.clone() } else { Vec::new() },
        audit: job.audit.as_deref().cloned(),
        captured_at: String::new(),
    };
    // Read once: a later picture must not repeat or lose them.
    let found = job.problems.read(session, tab).await?;
    let compared = |fingerprint: &Fingerprint| {
        wanted.base.map(|base| {
            let mut comparison = compare(base, fingerprint, &job.rules);
            problems::add(&mut comparison, &found);
            job.weigh(&mut comparison);
            comparison
        })
    };
    let hidden = |fingerprint: Arc<Fingerprint>| match plan.secrets.is_empty() {
        true => Ok(fingerprint),
        // It is better to save no baseline than one that contains a secret.
        false => plan
            .secrets
            .hide_in(&fingerprint)
            .map(Arc::new)
            .map_err(|error| VisitError::Secrets(error.to_string())),
    };
    let mut fingerprint = None;
    let mut shot = None;
    if wanted.pixels {
        shot = Some(browser.fingerprint_with_picture(tab, &request).await?);
    } else if wanted.base.is_some() || !wanted.picture {
        fingerprint = Some(hidden(session.fingerprint(tab, &request).await?)?);
    }
    if let Some(shot) = &shot {
        fingerprint = Some(hidden(shot.fingerprint.clone())?);
    }
    let mut comparison = fingerprint.as_ref().and_then(|fingerprint| compared(fingerprint));
    if let (Some(comparison), Some(base), Some(shot), Some(now)) =
        (&mut comparison, wanted.base, &shot, &fingerprint)
    {
        pixels::compare(comparison, (base, wanted.before), (now, shot), job);
        job.weigh(comparison);
    }
    let news = comparison.as_ref().is_none_or(|comparison| comparison.status != Status::Unchanged);
    // A page that is visited again gets its picture then.
    let fails = comparison.as_ref().is_some_and(|comparison| comparison.at_least(plan.fail_on) > 0);
    let mut picture = None;
    if let Some(shot) = shot {
        if news && (wanted.last || !fails) {
            picture = taken_picture(shot);
        }
    } else if wanted.picture && news && (wanted.last || !fails) {
        // The boxes belong to the fingerprint of the same moment.
        let pictured = browser.fingerprint_with_picture(tab, &request).await?;
        let taken = hidden(pictured.fingerprint.clone())?;
        comparison = compared(&taken);
        fingerprint = Some(taken);
        picture = taken_picture(pictured);
    }
    // Actions and the page itself may have led elsewhere.
    session.check_origin(tab).await?;
    if news {
        notes.extend(navigated.trouble);
    }
    let fingerprint = fingerprint.ok_or(VisitError::NotRead)?;
    Ok(Visit { fingerprint, comparison, picture, notes })
}

fn taken_picture(shot: FingerprintWithPicture) -> Option<TakenPicture> {
    let FingerprintWithPicture { png, size, boxes, .. } = shot;
    png.map(|png| TakenPicture { png, size, boxes })
}

/// Checks the HTTP status. An error page does not become a baseline unless that status is expected;
/// where it is only compared, a note is enough.
fn status(
    job: &Job,
    status: Option<u16>,
    keeps: bool,
    notes: &mut Vec<String>,
) -> Result<(), VisitError> {
    match (status, job.status) {
        (Some(found), Some(wanted)) if found != wanted => {
            Err(VisitError::OtherStatus { found, wanted })
        }
        (Some(status @ 400..), None) if !keeps => {
            notes.push(format!("it answered {status}"));
            Ok(())
        }
        (Some(status @ 400..), None) => Err(VisitError::ErrorPage(status)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::plan::Overrides;

    fn job(more: &str) -> Job {
        let text = format!("base_url = \"http://a\"\n[[page]]\nroute = \"/\"\n{more}");
        let plan =
            Plan::read(Path::new("pages.toml"), &text, &Overrides::default(), &|_| None).unwrap();
        plan.jobs[0].clone()
    }

    #[test]
    fn an_error_page_becomes_no_baseline() {
        let notes_of = |job: &Job, answered: u16, keeps: bool| {
            let mut notes = Vec::new();
            status(job, Some(answered), keeps, &mut notes).map(|()| notes.len()).ok()
        };
        let (plain, missing) = (job(""), job("status = 404"));
        assert_eq!(notes_of(&plain, 200, true), Some(0));
        assert_eq!(notes_of(&plain, 500, true), None, "neither saved nor accepted with --update");
        assert_eq!(notes_of(&plain, 500, false), Some(1), "compared, with a note");
        assert_eq!(notes_of(&missing, 404, true), Some(0));
        assert_eq!(notes_of(&missing, 200, false), None);
    }
}
