//! `take_screenshot`: takes a picture of the page, with numbered boxes on request.

use std::path::Path;

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
    /// draw references and boxes
    #[arg(long, help = "Draw numbers and boxes on the image")]
    #[serde(default)]
    annotate: bool,
    #[arg(
        long,
        value_parser = one_of::<ImageFormat>(IMAGE_FORMATS),
        help = "The format of the image; the ending of the file decides, if it has one"
    )]
    #[schemars(with = "Option<String>", extend("enum" = IMAGE_FORMATS))]
    format: Option<ImageFormat>,
    #[arg(long, value_name = "PIXELS", help = "Scale the image down to this width")]
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

impl ScreenshotParameters {
    /// Returns the image format that the name of a file says; `None` if it has no ending.
    pub(crate) fn format_of(&self, file: &Path) -> Result<Option<ImageFormat>, ArgumentError> {
        let Some(ending) = file.extension() else { return Ok(None) };
        let named = match ending.to_string_lossy().to_ascii_lowercase().as_str() {
            "png" => ImageFormat::Png,
            "jpg" | "jpeg" => ImageFormat::Jpeg,
            "webp" => ImageFormat::Webp,
            _ => return Err(ArgumentError::PictureName { file: file.to_owned() }),
        };
        match self.format {
            Some(given) if given != named => Err(ArgumentError::PictureFormat {
                file: file.to_owned(),
                named: picture::name(named),
                given: picture::name(given),
            }),
            _ => Ok(Some(named)),
        }
    }
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
        let named = match &target {
            Some(target) => parameters.format_of(&target.path())?,
            None => None,
        };
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
    let picture = picture::take(&workspace.session, &tab, &request).await?;
    // The name of the file would be wrong.
    if named == Some(ImageFormat::Webp) && picture.format != ImageFormat::Webp {
        return Err(ArgumentError::NoWebp.into());
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_says_its_format() {
        let of = |file: &str, format| {
            let parameters = ScreenshotParameters { format, ..Default::default() };
            parameters.format_of(Path::new(file)).map_err(|error| error.to_string())
        };
        for (file, format) in [
            ("a.png", Some(ImageFormat::Png)),
            ("a.JPG", Some(ImageFormat::Jpeg)),
            ("a.b/c.jpeg", Some(ImageFormat::Jpeg)),
            ("a.webp", Some(ImageFormat::Webp)),
            ("/dev/stdout", None),
        ] {
            assert_eq!(of(file, None), Ok(format), "{file}");
            assert_eq!(of(file, format), Ok(format), "{file}");
        }
        for file in ["a.bmp", "a.pdf", "a.png.gz", "a."] {
            let expected = "is not the name of a picture; use .png, .jpg, .jpeg or .webp";
            for format in [None, Some(ImageFormat::Png)] {
                assert_eq!(of(file, format), Err(format!("{file} {expected}")));
            }
        }
        assert_eq!(
            of("a.jpg", Some(ImageFormat::Png)).unwrap_err(),
            "a.jpg is a JPEG by its name, not a PNG; leave format out, or rename the file"
        );
    }
}
