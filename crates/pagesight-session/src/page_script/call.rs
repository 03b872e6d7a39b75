//! Calls functions of the page script: the list of the functions, and how answers are read.

use std::sync::Arc;
use std::time::Duration;

use pagesight_browser::{BrowserError, Result, Tab};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::tab::main_thread::MainThread;

/// Declares the functions that the session calls, with their names in the page script.
macro_rules! functions {
    ($($function:ident = $name:literal),+ $(,)?) => {
        /// A function of the page script.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Function {
            $($function),+
        }

        impl Function {
            /// All functions. Only for tests, so that a function that nobody calls is dead code.
            #[cfg(test)]
            pub(super) const ALL: &[Function] = &[$(Function::$function),+];

            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Function::$function => $name),+
                }
            }
        }
    };
}

functions! {
    ActivityNow = "activityNow",
    AdmitsSecret = "admitsSecret",
    AllMatches = "allMatches",
    At = "at",
    BeginTyping = "beginTyping",
    BringIntoView = "bringIntoView",
    CheckChoice = "checkChoice",
    CheckboxState = "checkboxState",
    ChooseOptions = "chooseOptions",
    CopiedText = "copiedText",
    CoversOverFrame = "coversOverFrame",
    Describe = "describe",
    EndTyping = "endTyping",
    EnterSecret = "enterSecret",
    FieldValue = "fieldValue",
    FileNames = "fileNames",
    FindFileInput = "findFileInput",
    FindScroller = "findScroller",
    FirstReaction = "firstReaction",
    Focus = "focus",
    FocusedElement = "focusedElement",
    FramePoint = "framePoint",
    HideSecrets = "hideSecrets",
    HideSkipped = "hideSkipped",
    InputResult = "inputResult",
    IsUnderPoint = "isUnderPoint",
    LockedPointer = "lockedPointer",
    MatchCounts = "matchCounts",
    MeasureLayout = "measureLayout",
    Near = "near",
    NextAnimationFrame = "nextAnimationFrame",
    NextChange = "nextChange",
    PageExtent = "pageExtent",
    PageInfo = "pageInfo",
    Paste = "paste",
    PasteText = "pasteText",
    PlaceCaret = "placeCaret",
    Prepare = "prepare",
    RevealFrame = "revealFrame",
    ScrollAside = "scrollAside",
    ScrollOn = "scrollOn",
    SecretValues = "secretValues",
    SelfChanging = "selfChanging",
    SetBeside = "setBeside",
    SetValue = "setValue",
    SettledPosition = "settledPosition",
    ShowSkipped = "showSkipped",
    StillFocused = "stillFocused",
    There = "there",
    Token = "token",
    WaitForImages = "waitForImages",
    WaitForOption = "waitForOption",
    WaitForQuiet = "waitForQuiet",
    WaitForText = "waitForText",
    Walk = "walk",
    WatchCopy = "watchCopy",
    WatchPage = "watchPage",
    WatchReaction = "watchReaction",
}

/// The page script of one frame of a tab. Every call takes at most `limit`.
#[derive(Clone, Copy)]
pub(crate) struct PageScript<'t> {
    pub(crate) tab: &'t Arc<dyn Tab>,
    pub(crate) main_thread: &'t MainThread,
    /// The engine's id of the frame; none for the top document.
    pub(crate) frame: Option<&'t str>,
    pub(crate) limit: Duration,
}

/// The answer of a function that only says whether it worked.
#[derive(Deserialize)]
struct Done {
    ok: bool,
}

impl PageScript<'_> {
    /// Calls a function and reads its answer.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        function: Function,
        arguments: Value,
    ) -> Result<T> {
        read(&answer_of(function, self.call(function, &arguments).await?)?)
    }

    /// Calls a function of one element; none if the element is gone.
    pub(super) async fn ask_of_element<T: DeserializeOwned>(
        &self,
        function: Function,
        arguments: Value,
    ) -> Result<Option<T>> {
        let text = self.call(function, &arguments).await?;
        match failure_in(&text) {
            Some(failure) if failure.error == GONE => Ok(None),
            _ => read(&answer_of(function, text)?).map(Some),
        }
    }

    /// Calls a function of a wait, which has its own limit, and reads its answer.
    pub(super) async fn ask_waiting<T: DeserializeOwned>(
        &self,
        function: Function,
        arguments: Value,
    ) -> Result<T> {
        read(&answer_of(function, self.call_waiting(function, &arguments).await?)?)
    }

    /// Calls a function whose late answer does not mean that the page hangs.
    pub(super) async fn ask_aside<T: DeserializeOwned>(
        &self,
        function: Function,
        arguments: Value,
    ) -> Result<T> {
        read(&answer_of(function, self.call_aside(function, &arguments).await?)?)
    }

    /// Captures the document. The decoder of the wire format reads failures, too.
    pub(super) async fn captured(&self, arguments: Value) -> Result<String> {
        self.call(Function::Walk, &arguments).await
    }

    /// Calls a function that says whether it worked.
    pub(super) async fn is_done(&self, function: Function, arguments: Value) -> Result<bool> {
        Ok(self.ask::<Done>(function, arguments).await?.ok)
    }

    /// Calls a function without a meaningful answer.
    pub(super) async fn run(&self, function: Function, arguments: Value) -> Result<()> {
        self.ask::<IgnoredAny>(function, arguments).await.map(drop)
    }

    /// Calls a function. Fails as soon as the page hangs.
    async fn call(&self, function: Function, arguments: &Value) -> Result<String> {
        self.main_thread.attend(self.call_aside(function, arguments)).await
    }

    /// Calls a function of a wait, which has its own limit whether the page hangs or not.
    async fn call_waiting(&self, function: Function, arguments: &Value) -> Result<String> {
        self.main_thread.observe(self.call_aside(function, arguments)).await
    }

    /// Calls a function without asking whether the page hangs.
    async fn call_aside(&self, function: Function, arguments: &Value) -> Result<String> {
        self.tab.script(self.frame, function.name(), &arguments.to_string(), self.limit).await
    }
}

/// Calls a function of the top document without a borrowed tab, and reads its answer.
pub(super) async fn ask_tab<T: DeserializeOwned>(
    tab: &Arc<dyn Tab>,
    function: Function,
    arguments: Value,
    limit: Duration,
) -> Result<T> {
    let text = tab.script(None, function.name(), &arguments.to_string(), limit).await?;
    read(&answer_of(function, text)?)
}

/// The answer of a function of the page script that failed.
#[derive(Deserialize)]
struct ScriptFailure {
    error: String,
    #[serde(default)]
    message: String,
}

/// How every failure starts; no answer does.
const FAILURE: &str = "{\"error\":";
/// The failure of a function of an element that is no longer in the page.
const GONE: &str = "gone";

fn failure_in(text: &str) -> Option<ScriptFailure> {
    serde_json::from_str(text.starts_with(FAILURE).then_some(text)?).ok()
}

/// Returns the answer of a function. A failure is an error, whatever the caller expects: many
/// answers have only optional members, and a failure would be read as one of them.
fn answer_of(function: Function, text: String) -> Result<String> {
    match failure_in(&text) {
        None => Ok(text),
        Some(ScriptFailure { error, message }) => {
            let line = message.lines().next().unwrap_or_default();
            let why: String =
                if line.is_empty() { &error } else { line }.chars().take(200).collect();
            Err(BrowserError::Script(format!("the page script's {}: {why}", function.name())))
        }
    }
}

/// Parses an answer of the page script, or of the page itself.
pub(crate) fn read<T: DeserializeOwned>(answer: &str) -> Result<T> {
    serde_json::from_str(answer).map_err(|error| {
        BrowserError::Script(format!("an answer of the page script could not be read ({error})"))
    })
}
