//! `take_screenshot`: takes a picture of the page, with numbered boxes on request.

use pagesight_session::{ImageFormat, ScopeChoice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Content};
use super::error::{ArgumentError, ToolError};
use super::operation::{Effect, Operation, ToolResult};
use super::output_file::OutputTarget;
use super::picture::{self, FittedPicture, PictureRequest, SizeLimit};
use super::words::{IMAGE_FORMATS, one_of};
use super::workspace::Workspace;

/// The smallest width that callers can set, in pixels.
const FEWEST_PIXELS: u32 = 16;

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenshotParameters {
    /// viewport, a reference, or a CSS selector
    #[arg(
        long,
        help = "The part of the page: viewport, a number from an outline, or a CSS selector"
    )]
    #[serde(default, deserialize_with = "pagesight_session::reference::optional")]
    scope: Option<String>,
    #[arg(long, help = "Show the whole page, not only the viewport")]
    #[serde(default)]
    full_page: bool,
    /// draw references and boxes on the image
    #[arg(long, help = "Draw numbers and boxes on the image")]
    #[serde(default)]
    annotate: bool,
    #[arg(
        long,
        value_parser = one_of::<ImageFormat>(IMAGE_FORMATS),
        help = "The format of the image; without it, the ending of the file decides"
    )]
    #[schemars(with = "Option<String>", extend("enum" = IMAGE_FORMATS))]
    format: Option<ImageFormat>,
    #[arg(long, value_name = "PIXELS", help = "Scale the image down to this width")]
    #[schemars(range(min = FEWEST_PIXELS))]
    max_width: Option<u32>,
    /// write to this file below --output-root
    #[arg(skip)]
    path: Option<String>,
    #[arg(skip)]
    #[serde(default)]
    overwrite: bool,
    #[arg(skip)]
    #[serde(alias = "tabName")]
    tab: Option<String>,
}

pub(crate) struct TakeScreenshot;

impl Operation for TakeScreenshot {
    const NAME: &'static str = "take_screenshot";
    const DESCRIPTION: &'static str =
        "Take a picture of the page or one element. Costs far more than inspect_tab.";
    const EFFECT: Effect = Effect::Reads;
    type Parameters = ScreenshotParameters;

    async fn run(workspace: &Workspace, parameters: ScreenshotParameters) -> ToolResult {
        let target = OutputTarget::of(workspace, parameters.path.as_deref(), parameters.overwrite)?;
        let limit = if target.is_some() { SizeLimit::None } else { SizeLimit::Answer };
        let named = target.as_ref().and_then(OutputTarget::image_format);
        let picture = take(workspace, &parameters, named, limit).await?;
        let summary = picture.summary();
        let media_type = picture.media_type();
        let note = Some(picture.note).filter(|note| !note.is_empty());
        let content = Content::Image { bytes: picture.bytes, media_type };
        match target {
            Some(target) => target.write(workspace, content.into(), &summary).await,
            None => Ok(Answer { beside: note, ..content.into() }),
        }
    }
}

/// Takes a picture. `named`: the format that the name of a file says, if the caller gives none.
pub(crate) async fn take(
    workspace: &Workspace,
    parameters: &ScreenshotParameters,
    named: Option<ImageFormat>,
    limit: SizeLimit,
) -> Result<FittedPicture, ToolError> {
    if let Some(given) = parameters.max_width.filter(|given| *given < FEWEST_PIXELS) {
        return Err(ArgumentError::Narrow { given, least: FEWEST_PIXELS }.into());
    }
    let whole = if parameters.full_page { "full" } else { "viewport" };
    let scope = ScopeChoice::parse(Some(parameters.scope.as_deref().unwrap_or(whole)))?;
    let format = parameters.format.or(named);
    let tab = workspace.tab(&parameters.tab).await?;
    let (annotate, max_width) = (parameters.annotate, parameters.max_width);
    let request = PictureRequest { scope, annotate, format, max_width, limit };
    picture::take(&workspace.session, &tab, &request).await
}
