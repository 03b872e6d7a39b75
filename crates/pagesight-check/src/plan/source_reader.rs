//! Reads the sources of `pages.toml`: which kind they are, and the settings of their pages.

use pagesight_session::Address;

use super::error::SettingError;
use super::model::SourceKind;
use super::written::{WrittenPage, WrittenPlan, WrittenSource};

/// The default number of pages of a source, and the highest one.
const MOST_LISTED: usize = 100_000;
const HIGHEST_LISTED: usize = 1_000_000;
/// How many links away `links` goes at most.
const DEEPEST: usize = 20;

/// Takes the sources of a file: those at its top, and `[[source]]` with their indices.
pub(super) fn taken(file: &mut WrittenPlan) -> Vec<(Option<usize>, WrittenSource)> {
    let at_top = [
        WrittenSource { sitemap: file.sitemap.take(), ..WrittenSource::default() },
        WrittenSource { storybook: file.storybook.take(), ..WrittenSource::default() },
        WrittenSource { links: file.links.take(), ..WrittenSource::default() },
        WrittenSource { command: file.command.take(), ..WrittenSource::default() },
    ];
    let given = |source: &WrittenSource| {
        source.sitemap.is_some()
            || source.storybook.is_some()
            || source.links.is_some()
            || source.command.is_some()
    };
    let short = at_top.into_iter().filter(given).map(|source| (None, source));
    let long = std::mem::take(&mut file.source).into_iter().enumerate();
    short.chain(long.map(|(at, source)| (Some(at), source))).collect()
}

/// Returns the kind of a source. `located` makes an address of a URL or a route.
pub(super) fn kind(
    source: &WrittenSource,
    mut located: impl FnMut(&str) -> Result<Address, SettingError>,
) -> Result<SourceKind, SettingError> {
    let mut kinds = Vec::new();
    if let Some(at) = &source.sitemap {
        let origin = source.origin.as_deref().map(str::parse::<Address>).transpose();
        let origin = origin.map_err(|error| SettingError::Origin(error.to_string()))?;
        let origin = origin.map(|origin| origin.as_str().to_owned());
        kinds.push(SourceKind::Sitemap { url: located(at)?, origin });
    }
    if let Some(at) = &source.storybook {
        let skip_tags = source.skip_tags.clone();
        kinds.push(SourceKind::Storybook { url: located(at)?, skip_tags });
    }
    if let Some(links) = &source.links {
        if links.depth > DEEPEST {
            return Err(SettingError::Depth { given: links.depth, most: DEEPEST });
        }
        kinds.push(SourceKind::Links { url: located(&links.from)?, depth: links.depth });
    }
    if let Some(line) = source.command.clone().filter(|line| !line.trim().is_empty()) {
        kinds.push(SourceKind::Command { line });
    }
    let (Some(kind), true) = (kinds.pop(), kinds.is_empty()) else {
        return Err(SettingError::SourceKind);
    };
    if source.origin.is_some() && !matches!(kind, SourceKind::Sitemap { .. }) {
        return Err(SettingError::OtherSource { key: "origin", kind: "sitemap" });
    }
    if !source.skip_tags.is_empty() && !matches!(kind, SourceKind::Storybook { .. }) {
        return Err(SettingError::OtherSource { key: "skip_tags", kind: "storybook" });
    }
    Ok(kind)
}

/// Returns the most pages of a source.
pub(super) fn most(given: Option<usize>) -> Result<usize, SettingError> {
    match given.unwrap_or(MOST_LISTED) {
        most @ 1..=HIGHEST_LISTED => Ok(most),
        given => Err(SettingError::Most { given, most: HIGHEST_LISTED }),
    }
}

/// Returns a page with the settings of a source.
pub(super) fn page_like(source: WrittenSource) -> WrittenPage {
    WrittenPage {
        name: Some("source".to_owned()),
        url: Some("about:blank".to_owned()),
        viewports: source.viewports,
        device: source.device,
        devices: source.devices,
        emulate: source.emulate,
        browsers: source.browsers,
        scopes: source.scopes,
        depth: source.depth,
        timeout_s: source.timeout_s,
        retries: source.retries,
        pictures: source.pictures,
        exact: source.exact,
        numbers: source.numbers,
        visual: source.visual,
        mask: source.mask,
        threshold: source.threshold,
        audit: source.audit,
        audit_tags: source.audit_tags,
        audit_ignore: source.audit_ignore,
        problems: source.problems,
        ignore_problems: source.ignore_problems,
        ignore: source.ignore,
        severity: source.severity,
        actions: source.actions,
        ..WrittenPage::default()
    }
}
