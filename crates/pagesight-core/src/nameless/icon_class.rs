//! The name of an icon in a list of classes: `fa fa-trash fa-lg`, `bi bi-star-fill`,
//! `oo-ui-icon-search`.

use super::words;
use crate::text::lists;

/// How many classes are looked at.
const MOST: usize = 24;

/// Words for things that an icon may be a part of.
const PLACES: &str = "item items button btn cell row header label link tab input node title group \
    wrapper box";

/// Names that only change how an icon looks: in every set, in Font Awesome, in the others.
const SIZES: &str =
    "xs sm md lg xl xxs 2xs 2xl 1x 2x 3x 4x 5x 6x 7x 8x 9x 10x fw spin pulse 16 24 32";
const FONT_AWESOME: &str = "solid regular light thin duotone brands sharp classic ul li border pull \
    pull-left pull-right pull-start pull-end spin-pulse spin-reverse beat beat-fade fade bounce \
    flip flip-horizontal flip-vertical flip-both shake stack stack-1x stack-2x inverse layers \
    width-auto icon";
const OTHERS: &str = "18px 24px 36px 48px set light dark inactive icon icons bold fill thin duotone \
    rotate-45 rotate-90 rotate-180 rotate-270 modifier-spin modifier-disabled flip-h flip-v";

/// The prefixes of icon sets.
const PREFIXES: &str = "fa- mdi- lucide- icon-tabler- tabler-icon- codicon- octicon- glyphicon- \
    anticon- dashicons- heroicon- feather- gg- uil- cil- lnr- zmdi- typcn- icofont- flaticon- \
    k-i- el-icon- eva- i-";
/// Prefixes that others use, too, and the classes of which an icon has one as well.
const SHARED_PREFIXES: [(&str, &str); 11] = [
    ("bi-", "bi"),
    ("ti-", "ti"),
    ("pi-", "pi"),
    ("ph-", "ph ph-bold ph-fill"),
    ("la-", "la las lar lab"),
    ("bx-", "bx"),
    ("bxs-", "bx"),
    ("bxl-", "bx"),
    ("fe-", "fe"),
    ("oi-", "oi"),
    ("wi-", "wi"),
];

/// Returns the prefix of the icon set that a class belongs to.
fn prefix(class: &str, classes: &str) -> Option<&'static str> {
    let has_one = |bases: &str| tokens(classes).any(|token| lists(bases, token));
    let shared =
        || SHARED_PREFIXES.iter().find(|(one, bases)| class.starts_with(one) && has_one(bases));
    let own = PREFIXES.split(' ').find(|one| class.starts_with(one));
    own.or_else(|| shared().map(|(one, _)| *one))
}

/// Returns the name of the icon of a known set that a list of classes names.
pub(super) fn of_set(classes: &str) -> Option<String> {
    tokens(classes).find_map(|token| {
        let token = token.to_ascii_lowercase();
        if let Some(name) = remix(&token).or_else(|| ionicon(&token)).or_else(|| iconify(&token)) {
            return words::whole(name);
        }
        let prefix = prefix(&token, classes)?;
        let name = &token[prefix.len()..];
        let modifiers = if prefix == "fa-" { FONT_AWESOME } else { OTHERS };
        let modifies = lists(modifiers, name) || lists(SIZES, name);
        let rotates = name.starts_with("rotate-") || name.starts_with("flip-");
        if modifies || rotates { None } else { words::whole(name) }
    })
}

/// Returns what a class says after the word icon, which may be anything: `oo-ui-icon-search`.
pub(super) fn after_the_word(classes: &str) -> Option<String> {
    tokens(classes).find_map(|token| {
        let parts = words::split(token);
        spoken(&parts[place(&parts)? + 1..])
    })
}

/// Returns the name in a class beside the one that says that this is an icon: `icon trash`,
/// `app-icon-img align-left`.
pub(super) fn of_an_icon(classes: &str) -> Option<String> {
    let mut others = tokens(classes).filter(|token| place(&words::split(token)).is_none());
    let is_drawn = |token: &str| {
        let parts = words::split(token);
        place(&parts).is_some_and(|at| {
            matches!(parts.get(at + 1).map(String::as_str), Some("img" | "image" | "svg"))
        })
    };
    if tokens(classes).any(is_drawn) {
        others.find_map(|token| words::whole(token).filter(|name| words::is_speakable(name)))
    } else if tokens(classes).any(|token| matches!(token, "icon" | "icons")) {
        others.find_map(|token| words::class(token, ""))
    } else {
        None
    }
}

/// Returns what a class says before the word icon: `search-icon`. Not what only says where the icon
/// is: `menu-item-icon`.
pub(super) fn before_the_word(classes: &str) -> Option<String> {
    tokens(classes).find_map(|token| {
        let parts = words::split(token);
        let before = words::without_prefix(&parts[..place(&parts)?]);
        let is_place = before.last().is_some_and(|word| lists(PLACES, word));
        if is_place { None } else { spoken(before) }
    })
}

fn tokens(classes: &str) -> impl Iterator<Item = &str> {
    classes.split_whitespace().take(MOST)
}

/// Remix names its icons by their style: `ri-home-line`.
fn remix(token: &str) -> Option<&str> {
    let name = token.strip_prefix("ri-")?;
    name.strip_suffix("-line").or_else(|| name.strip_suffix("-fill"))
}

/// Ionicons before version 5 name the platform: `ion-ios-trash`, `ion-md-trash`.
fn ionicon(token: &str) -> Option<&str> {
    let name = token.strip_prefix("ion-")?;
    ["ios-", "md-", "logo-", "android-"].iter().find_map(|platform| name.strip_prefix(platform))
}

/// Iconify: `icon-[mdi--trash]`, `iconify mdi--trash`, `i-lucide-trash`.
fn iconify(token: &str) -> Option<&str> {
    let (_, name) = token.trim_matches(['[', ']']).rsplit_once("--")?;
    (token.starts_with("icon-[") || token.starts_with("mdi--") || token.starts_with("i-"))
        .then_some(name)
}

/// Returns where the word icon stands among the words of a class.
fn place(parts: &[String]) -> Option<usize> {
    parts.iter().rposition(|word| {
        matches!(word.as_str(), "icon" | "icons" | "ico" | "icn" | "glyph" | "svgicon")
    })
}

fn spoken(words: &[String]) -> Option<String> {
    words::telling(words).filter(|name| words::is_speakable(name))
}
