//! The errors of pictures that are decoded, scaled or encoded here.

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    #[error("it does not become small enough")]
    DoesNotFit,
    #[error("it is too large")]
    TooLarge,
    #[error(transparent)]
    Decoding(#[from] png::DecodingError),
    #[error(transparent)]
    Png(#[from] png::EncodingError),
    #[error(transparent)]
    Jpeg(#[from] jpeg_encoder::EncodingError),
    #[error(transparent)]
    Thread(#[from] tokio::task::JoinError),
}
