//! Waits until a Storybook has rendered a story: it is shown, and its render phase, which includes
//! its play function, is completed. Storybook has no event for that, so its state is read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagesight_core::text::escape;
use pagesight_session::{Session, TabRecord};
use serde::Deserialize;

use super::error::VisitError;

/// The time between two reads of the state.
const INTERVAL: Duration = Duration::from_millis(50);
/// The longest message of an error.
const LENGTH: usize = 300;

/// The state of a Storybook's preview.
#[derive(Debug, Default, Deserialize)]
struct PreviewState {
    /// It shows the story.
    main: bool,
    /// It shows an error.
    error: bool,
    /// It shows that there is no such story.
    nothing: bool,
    /// The phase of the rendering.
    phase: Option<String>,
    /// The text of the error.
    message: Option<String>,
}

const STATE: &str = r#"(() => {
  const shows = (name) => !!document.body && document.body.classList.contains(name);
  const preview = globalThis.__STORYBOOK_PREVIEW__;
  const render = preview && (preview.currentRender || (preview.storyRenders || [])[0]);
  const text = document.querySelector('#error-message');
  return {
    main: shows('sb-show-main'),
    error: shows('sb-show-errordisplay'),
    nothing: shows('sb-show-nopreview'),
    phase: render && typeof render.phase === 'string' ? render.phase : null,
    message: text ? text.textContent : null,
  };
})()"#;

/// The state of a story.
#[derive(Debug, PartialEq)]
enum StoryProgress {
    Rendered,
    Failed(VisitError),
    Waiting(String),
}

impl PreviewState {
    fn progress(&self) -> StoryProgress {
        let message = || {
            let text = self.message.as_deref().unwrap_or_default().trim();
            if text.is_empty() {
                String::new()
            } else {
                format!(": {}", escape::safe(text, LENGTH))
            }
        };
        match self.phase.as_deref() {
            _ if self.error => {
                StoryProgress::Failed(VisitError::Story(format!("shows an error{}", message())))
            }
            Some("errored") => {
                StoryProgress::Failed(VisitError::Story(format!("failed{}", message())))
            }
            _ if self.nothing => StoryProgress::Failed(VisitError::NoStory),
            Some("completed" | "afterEach" | "finished") if self.main => StoryProgress::Rendered,
            Some(phase) => {
                StoryProgress::Waiting(format!("its render phase is {}", escape::word(phase, 40)))
            }
            None => StoryProgress::Waiting("the page has no Storybook preview".to_owned()),
        }
    }
}

/// Waits until the story is rendered, at most until a time.
pub(super) async fn rendered(
    session: &Session,
    tab: &Arc<TabRecord>,
    until: Instant,
) -> Result<(), VisitError> {
    loop {
        let state = session.evaluate(tab, STATE).await?;
        let state: PreviewState = serde_json::from_value(state).unwrap_or_default();
        match state.progress() {
            StoryProgress::Rendered => break,
            StoryProgress::Failed(error) => return Err(error),
            StoryProgress::Waiting(why) if Instant::now() >= until => {
                return Err(VisitError::Story(format!("was not rendered in time: {why}")));
            }
            StoryProgress::Waiting(_) => tokio::time::sleep(INTERVAL).await,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_is_rendered_when_it_is_shown_and_completed() {
        let state = |main: bool, error: bool, phase: Option<&str>| {
            let message = Some(" boom\n<b> ".to_owned());
            let phase = phase.map(str::to_owned);
            PreviewState { main, error, nothing: false, phase, message }.progress()
        };
        assert_eq!(state(true, false, Some("completed")), StoryProgress::Rendered);
        assert_eq!(state(true, false, Some("finished")), StoryProgress::Rendered);
        for (main, phase) in [(true, Some("playing")), (false, Some("completed")), (true, None)] {
            assert!(matches!(state(main, false, phase), StoryProgress::Waiting(_)), "{phase:?}");
        }
        for failed in [
            state(false, true, Some("errored")),
            state(true, true, Some("completed")),
            state(true, false, Some("errored")),
        ] {
            let StoryProgress::Failed(error) = failed else { panic!("{failed:?}") };
            let why = error.to_string();
            assert!(why.contains("boom") && !why.contains('\n'), "{why}");
        }
    }
}
