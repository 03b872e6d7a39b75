//! Types secrets: into documents of the allowed origins only, and into nothing but the field that
//! was meant. The page script checks the origin and the focus in the same moment in which it
//! inserts the text, so a document that takes the place of the allowed one does not get it.

use pagesight_browser::{Gesture, KeyChord, KeyTarget};
use pagesight_core::text::escape;

use super::actor::{Actor, Found};
use super::error::ActionError;
use super::fill::shown;
use crate::error::Result;
use crate::page_script::{Entered, FieldKind};
use crate::secrets::SecretText;

impl Actor<'_> {
    /// Refuses a secret that the document of a frame may not get.
    pub(super) async fn admit(
        &self,
        frame: Option<&str>,
        target: &str,
        secret: &SecretText,
    ) -> Result<()> {
        let asked = self.script(frame).admits_secret(&secret.origins).await?;
        entered(asked, target, secret)
    }

    /// Replaces the selected content of a focused field by a secret.
    pub(super) async fn fill_secret(
        &mut self,
        found: &Found,
        kind: FieldKind,
        secret: &SecretText,
    ) -> Result<()> {
        let frame = found.path.frame.as_deref();
        if !matches!(kind, FieldKind::Text | FieldKind::Editor | FieldKind::Editable) {
            let (target, names) = (found.words.clone(), secret.names.clone());
            return Err(ActionError::SecretNeedsTextField { target, names }.into());
        }
        self.expect_suggestions(frame).await?;
        if kind != FieldKind::Text {
            let ready = self.script(frame).enter_secret(found.local, &secret.origins, "").await?;
            entered(ready, &found.words, secret)?;
            self.tab.gesture(&Gesture::press_in(frame, KeyChord::select_all())).await?;
        }
        let done =
            self.script(frame).enter_secret(found.local, &secret.origins, &secret.text).await?;
        entered(done, &found.words, secret)
    }

    /// Types a text with secrets key by key into the focused element. Stops as soon as the document
    /// or the focus is a different one.
    pub(super) async fn type_secret(
        &mut self,
        frame: Option<&str>,
        local: u32,
        words: &str,
        given: &str,
        secret: &SecretText,
    ) -> Result<String> {
        if local == 0 {
            return Err(ActionError::SecretNeedsFocus { names: secret.names.clone() }.into());
        }
        let target = words.strip_prefix(" in ").unwrap_or("the focused element");
        self.admit(frame, target, secret).await?;
        self.expect_suggestions(frame).await?;
        let mut keys = secret.text.chars().peekable();
        let effect = loop {
            let ready = self.script(frame).enter_secret(local, &secret.origins, "").await?;
            entered(ready, target, secret)?;
            // A name is not empty, and neither is a value.
            let text = keys.next().map(String::from).unwrap_or_default();
            let target = KeyTarget::Frame(frame.map(str::to_owned));
            let key = Gesture::Type { text, target };
            match keys.peek() {
                Some(_) => self.tab.gesture(&key).await?,
                None => break self.carry_out(&key, None).await?,
            }
        };
        let mut done = format!("typed {}{words}", escape::value(given, 60));
        if effect.outcome.stayed() {
            let now = self.script(frame).field_value(local).await;
            done.push_str(&now.ok().and_then(|now| shown(&now)).unwrap_or_default());
        }
        self.report(&done, &effect).await
    }
}

/// Returns why a document did not take a secret.
fn entered(entered: Entered, target: &str, secret: &SecretText) -> Result<()> {
    let target = target.to_owned();
    Err(match entered.reason.as_str() {
        _ if entered.ok => return Ok(()),
        "origin" => ActionError::SecretElsewhere {
            target,
            origin: escape::safe(&entered.origin, 100),
            names: secret.names.clone(),
            allowed: match secret.origins.as_slice() {
                [] => "no origin that may get all of them".to_owned(),
                origins => origins.join(" and "),
            },
        },
        "gone" => ActionError::Gone { target },
        "focus" => ActionError::FocusLost { target },
        _ => ActionError::SecretNeedsTextField { target, names: secret.names.clone() },
    }
    .into())
}
