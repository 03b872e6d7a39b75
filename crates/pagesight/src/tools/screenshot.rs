//! `take_screenshot`: takes a picture of the page, with numbered boxes on request.

use pagesight_session::{ImageFormat, ScopeChoice, SessionError, ShotOptions};
use schemars::JsonSchema;
use serde::Deserialize;

use super::answer::{Answer, Content};
use super::element;
use super::operation::{Effect, Operation};
use super::workspace::Workspace;
use crate::tools::annotate::annotate;

/// Parameters of `take_screenshot`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenshotParameters {
    /// viewport, a reference, or a CSS selector
    #[arg(long)]
    #[serde(default, deserialize_with = "element::optional")]
    scope: Option<String>,
    #[arg(long)]
    #[serde(default)]
    full_page: bool,
    /// draw references and boxes on the image
    #[arg(long)]
    #[serde(default)]
    annotate: bool,
    #[arg(long)]
    format: Option<ImageFormatChoice>,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum ImageFormatChoice {
    Png,
    Jpeg,
    Webp,
}

/// The tool.
pub(crate) struct TakeScreenshot;

impl Operation for TakeScreenshot {
    const NAME: &'static str = "take_screenshot";
    const DESCRIPTION: &'static str =
        "Take a picture of the page or one element. Costs far more than inspect_tab.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = ScreenshotParameters;

    async fn run(
        workspace: &Workspace,
        parameters: ScreenshotParameters,
    ) -> Result<Answer, SessionError> {
        let whole = if parameters.full_page { "full" } else { "viewport" };
        let scope = ScopeChoice::parse(Some(parameters.scope.as_deref().unwrap_or(whole)))?;
        let format = match parameters.format {
            // Annotations are drawn on decoded pixels, and only PNG can be decoded here.
            _ if parameters.annotate => ImageFormat::Png,
            Some(ImageFormatChoice::Jpeg) => ImageFormat::Jpeg,
            Some(ImageFormatChoice::Webp) => ImageFormat::Webp,
            Some(ImageFormatChoice::Png) | None => ImageFormat::Png,
        };
        let tab = workspace.tab(&parameters.tab).await?;
        let options = ShotOptions { scope, annotate: parameters.annotate, format };
        let shot = workspace.session.screenshot(&tab, &options).await?;
        let bytes =
            if parameters.annotate { annotate(&shot.image, &shot.marks)? } else { shot.image };
        Ok(Answer {
            content: Content::Image { bytes, media_type: shot.media_type },
            failed: false,
            beside: None,
        })
    }
}
