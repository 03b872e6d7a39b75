//! How a language writes numbers and dates.

/// Languages that write a comma before the fraction.
const DECIMAL_COMMA: &str = "af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it \
    ka kk kl lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk uz vi";
/// Languages that write a point before it.
const DECIMAL_POINT: &str =
    "am bn cy en fil ga gu he hi ja kn ko ml mr ms mt my ne pa sa si sw ta te th ur yi zh zu";
/// Regions that differ from their language: a point.
const POINT_REGIONS: &str = "es-do es-gt es-hn es-mx es-ni es-pa es-pe es-pr es-sv es-us de-ch \
    de-li it-ch";

/// How a page writes numbers and dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Locale {
    /// Whether a comma begins the fraction; `None` if it is not known.
    pub(super) comma: Option<bool>,
    /// Whether the month stands before the day in a date with slashes or hyphens; `None` if it is
    /// not known.
    pub(super) month_first: Option<bool>,
}

impl Locale {
    /// Returns what a language tag such as `de-CH` says.
    pub(crate) fn of(tag: &str) -> Locale {
        let tag = tag.to_ascii_lowercase().replace('_', "-");
        let language = tag.split('-').next().unwrap_or_default();
        let region = tag.split('-').skip(1).find(|part| part.len() == 2).unwrap_or_default();
        let lists = |words: &str, word: &str| words.split_whitespace().any(|one| one == word);
        let with_region = format!("{language}-{region}");
        let comma = if lists(POINT_REGIONS, &with_region) || lists(DECIMAL_POINT, language) {
            Some(false)
        } else {
            lists(DECIMAL_COMMA, language).then_some(true)
        };
        let month_first = match (language, region) {
            ("en", "us" | "ph") => Some(true),
            // English without a region is written in both ways.
            ("en", "") | ("", _) => None,
            _ => comma.map(|_| false),
        };
        Locale { comma, month_first }
    }

    /// Adds what a column says where the language says nothing.
    pub(crate) fn or(self, other: Locale) -> Locale {
        Locale {
            comma: self.comma.or(other.comma),
            month_first: self.month_first.or(other.month_first),
        }
    }
}
