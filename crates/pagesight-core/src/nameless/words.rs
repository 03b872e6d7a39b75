//! Words from identifiers: class names, ids, file names, names of icons. Markup is written for
//! programs: most of it is layout, frameworks and generated parts, and a page may put anything
//! there. What is left is lower-case ASCII, at most four words.

use crate::text::lists;

/// The last word of the guesses that name an icon.
pub(super) const ICON: &str = " icon";
/// The longest guess that is made of words of the markup.
pub(super) const WORDS_LIMIT: usize = 30;

/// How many words a guess has, and how many words of an identifier are looked at.
const MOST_WORDS: usize = 4;
const MOST_SPLIT: usize = 24;
/// The longest identifier that is looked at.
const LONGEST: usize = 200;

/// Words about the style of an icon.
const STYLES: &str = "outline outlined filled fill solid regular duotone rounded twotone sharp o alt baseline \
    round bold 24px 48px px";

/// Words that say nothing about an icon in a class: what kind of thing it is, and where.
const GENERIC: &str = "icon icons ico icn svg svgs img imgs images image sprite sprites symbol symbols shape \
    glyph glyphs btn button buttons link wrapper wrap container inner outer root base \
    content default placeholder font size small medium large mini tiny big xs sm md lg xl \
    xxl inherit color colour primary secondary tertiary white black gray grey dark light \
    left right before after only inline block prefix suffix start end hover active disabled \
    hidden ui oo mw mui mat ant wp css sc jsx js ic asset assets static media file pic photo \
    thumb thumbnail vector group layer path new final copy the with has is no untitled \
    unnamed item element component class style material fa fas far fal fab mdi bi lucide \
    tabler box holder iconfont";

/// Those of them that belong to the name of an icon beside a word that says something:
/// `arrow-left`, `box-open`, `file-copy`.
const NAMING: &str = "image images symbol shape link content font size color colour left right before after \
    only start end media file photo vector group layer path new copy no box light dark block";

/// Words before the name of an icon in the id of a drawing, or in the name of a file: the
/// kind of thing, the set, the style.
const LEADING: &str = "icon icons ico icn ic svg svgs img imgs sprite sprites symbols glyphs btn ui oo mw mui \
    mat ant wp css sc jsx js asset assets fa fas far fal fab mdi bi lucide tabler ti ri ion \
    baseline outline round twotone";

/// Words after it.
const TRAILING: &str = "icon icons ico svg img png btn xs sm md lg xl";

/// Words that programs number: `Layer_1`, `path12`. With a number they name nothing.
const NUMBERED: &str = "layer group path frame rect shape mask clip filter paint artboard symbol sprite icon \
    img image images pic vector asset element item component untitled slice layers page view \
    node use defs svg logo background";

/// Words of layout, frameworks and roles: nothing about what an element is for.
const LAYOUT: &str = "a an to for of in on by at my app page site web main body div span header footer nav \
    navbar section column col row grid flex table cell td tr list li ul card panel area \
    input inputs field fields control controls form text textbox textfield checkbox radio \
    option combobox slider clickable click trigger target action actions handler handle \
    label title value hint empty custom general common global local widget module react vue \
    angular ng ember svelte chakra radix headlessui headless bootstrap tailwind styled \
    emotion makestyles mdc rc el ext gwt yui dijit qa test testid cy id ids name key data \
    ref role aria sr tab tabindex focus focusable focused visible selected opened shown \
    static relative absolute fixed sticky top bottom center middle full half auto none first \
    last odd even clearfix pull float margin padding border bg background width height \
    pointer cursor circle square invisible centered init bloc col1 noopener \
    textarea st cache dom hitarea expanded collapsed checked pressed \
    wrapping";

/// Words that are states, roles or looks if they stand alone.
const VERBS: &str = "check select switch open show view line";

/// Words that are not spoken as they are written.
const SPOKEN: &str =
    "x rss pdf sms tv gps css html xml sql csv faq ok hd ad vr up id msg pwd cmd db vm qr";

/// Words that do not end a guess.
const JOINING: &str = "and or of the to a an in on at for with by what your";

/// The first words of utility classes, which are left out as a whole: `items-center`, `p-2`.
const UTILITIES: &str = "p m px py pt pb pl pr mx my mt mb ml mr w h min max flex grid gap space items justify \
    self content bg text font leading tracking border rounded shadow ring opacity transition \
    duration ease z inset translate scale rotate transform animate fill stroke outline \
    divide order col row overflow object cursor select whitespace break align place grow \
    shrink basis group peer d position float display css sc jsx svelte";

/// Splits an identifier into its words, in lower case: `ui-iconSearch2` is ui, icon, search2.
pub(super) fn split(identifier: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let mut characters = identifier.chars().take(LONGEST).peekable();
    while let Some(c) = characters.next() {
        let humps = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_uppercase()
                    && characters.peek().is_some_and(char::is_ascii_lowercase));
        if (humps || !c.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
        if words.len() >= MOST_SPLIT {
            return words;
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns the words of an icon's name, without its set and its style: the id of a drawing, or an
/// attribute.
pub(super) fn icon(name: &str) -> Option<String> {
    if !name.is_ascii() && name.chars().any(|c| !c.is_ascii() && c.is_alphanumeric()) {
        return None;
    }
    // The set comes first: `mdi:trash`, `/icons.svg#trash`.
    let name = name.rsplit([':', '/', '#']).find(|part| !part.is_empty()).unwrap_or_default();
    let name = strip_extension(name);
    let words = split(name);
    let at = words.iter().rposition(|word| matches!(word.as_str(), "icon" | "icons" | "ico"));
    match at {
        Some(at) => named(&words[at + 1..]).or_else(|| named(&words[..at])),
        None => named(&words),
    }
}

/// Returns the words of a name that was given to an icon or an image, without what stands before
/// and after it. In such a name few words are generic: `link`, `arrow-left`, `copy`.
fn named(words: &[String]) -> Option<String> {
    let words: Vec<&String> = words.iter().filter(|word| !is_hash(word)).collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let from = words.iter().position(|word| !lists(LEADING, word) && !is_size(word))?;
    let trails = |word: &str| lists(TRAILING, word) || lists(STYLES, word) || is_size(word);
    let to = words.iter().rposition(|word| !trails(word)).filter(|to| *to >= from).unwrap_or(from);
    let numbered = words[to..].iter().any(|word| is_number(word));
    let words: Vec<String> = words[from..=to].iter().map(|word| (*word).clone()).collect();
    if let [only] = words.as_slice() {
        let stem = only.trim_end_matches(|c: char| c.is_ascii_digit());
        let counts = numbered || stem.len() < only.len();
        let bare = matches!(only.as_str(), "a" | "b" | "c" | "default" | "placeholder" | "spacer");
        if bare || (counts && (lists(NUMBERED, stem) || stem.len() < 2)) {
            return None;
        }
    }
    let says = |word: &String| word.len() > 2 && word.bytes().any(|byte| byte.is_ascii_lowercase());
    let spoken = |word: &String| lists(SPOKEN, word);
    if words.iter().any(|word| says(word) || spoken(word)) { joined(&words) } else { None }
}

/// Whether a word is a size: `24`, `16px`, `24dp`, `2x`.
fn is_size(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < word.len() && matches!(rest, "" | "px" | "dp" | "x" | "pt")
}

/// Whether a word is a part that a program has added: letters and digits in turns, a long number.
fn is_hash(word: &str) -> bool {
    let digits: Vec<bool> = word.bytes().map(|byte| byte.is_ascii_digit()).collect();
    let turns = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let number = word.len() >= 5 && digits.iter().all(|digit| *digit);
    number || word.len() > 20 || (word.len() >= 5 && turns >= 2)
}

/// Returns the words of a name that certainly is an icon's, without its style and the number of its
/// variant. In such a name no other word is generic: `arrow-left`, `link`, `copy`.
pub(super) fn whole(name: &str) -> Option<String> {
    let words = split(name);
    let says = |word: &String| !lists(STYLES, word) && word.parse::<u32>().is_err();
    let end = words.iter().rposition(says).map_or(words.len(), |at| at + 1);
    joined(&words[..end])
}

/// Returns the words of a file name.
pub(super) fn file(name: &str) -> Option<String> {
    icon(strip_extension(name)).filter(|words| is_speakable(words))
}

/// Whether one of the words can be spoken; others are abbreviations of a program.
pub(super) fn is_speakable(words: &str) -> bool {
    words.split(' ').any(|word| {
        let vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        (word.len() >= 3 && vowel) || lists(SPOKEN, word)
    })
}

/// Returns the words of where a link leads: the last part of its path, or its host.
pub(super) fn address(href: &str) -> Option<String> {
    let href: String = href.chars().take(LONGEST * 4).collect();
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(scheme.as_str(), "javascript" | "data" | "blob") {
        return None;
    }
    if let Some(to) = href.strip_prefix("mailto:").or_else(|| href.strip_prefix("tel:")) {
        return (!to.is_empty()).then(|| if scheme == "tel" { "phone" } else { "mail" }.to_owned());
    }
    if href == "/" {
        return Some("home".to_owned());
    }
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let rest = path.split_once("//").map_or(path, |(_, rest)| rest);
    let is_host = path.contains("//");
    let mut parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let host = if is_host && !parts.is_empty() { Some(parts.remove(0)) } else { None };
    let last = parts.last().and_then(|part| identifier(strip_extension(part), "link"));
    let site = || {
        let host = host?.trim_start_matches("www.");
        joined(&split(host.split('.').next().unwrap_or_default()))
    };
    last.or_else(site).or_else(|| {
        let (_, part) = href.split_once('#')?;
        let words: Vec<String> = split(part).into_iter().filter(|word| word.len() <= 20).collect();
        joined(&words).filter(|words| is_speakable(words))
    })
}

/// Returns the words after the prefix of a framework: an abbreviation (`lm-menu`, `ql-bold`), or
/// what stands before `ui` (`red-ui-palette`).
pub(super) fn without_prefix(words: &[String]) -> &[String] {
    match words {
        [_, ui, rest @ ..] if ui == "ui" && !rest.is_empty() => rest,
        [first, rest @ ..] if !rest.is_empty() && is_abbreviation(first) => rest,
        _ => words,
    }
}

/// Whether a word is two or three letters that cannot be spoken.
fn is_abbreviation(word: &str) -> bool {
    let letters = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    matches!(word.len(), 2 | 3) && letters && !vowel && !lists(SPOKEN, word)
}

/// Whether an id ends with a number, as those that a program counts: `ic0`, `item-12`.
pub(super) fn is_numbered(id: &str) -> bool {
    id.ends_with(|last: char| last.is_ascii_digit())
}

/// Returns the telling words of an id, a name or a test id.
pub(super) fn identifier(text: &str, role: &str) -> Option<String> {
    let words = split(text);
    let words = without_prefix(&words).iter().filter(|word| !is_noise(word, role));
    let words: Vec<String> = words.cloned().collect();
    let looks = |word: &str| lists(VERBS, word) || (lists(STYLES, word) && word != "bold");
    let telling = words.iter().any(|word| !looks(word));
    joined(ending(&words)).filter(|words| telling && is_speakable(words))
}

/// Returns as many words as a guess may have, of the end: what comes first is the name of a larger
/// part.
fn ending(words: &[String]) -> &[String] {
    let mut from = words.len().saturating_sub(MOST_WORDS);
    let length = |words: &[String]| words.iter().map(|word| word.len() + 1).sum::<usize>();
    while from + 1 < words.len() && length(&words[from..]) > WORDS_LIMIT - ICON.len() + 1 {
        from += 1;
    }
    &words[from..]
}

/// Returns the telling words of a list of classes: those of the first class that has some.
pub(super) fn class(classes: &str, role: &str) -> Option<String> {
    classes.split_whitespace().take(MOST_SPLIT).find_map(|token| {
        if token.contains([':', '/', '[', '@', '!']) {
            return None;
        }
        // Looks of jQuery UI.
        if token.starts_with("ui-corner-") || token.starts_with("ui-state-") {
            return None;
        }
        let first = token.split(['-', '_']).find(|part| !part.is_empty()).unwrap_or_default();
        if lists(UTILITIES, first) && !token.contains("__") {
            return None;
        }
        // `toolbar-item` names what the item is in.
        if ["-item", "_item", "-items"].iter().any(|end| token.ends_with(end)) {
            return None;
        }
        // `block__element--modifier`: the element says most. The last part of a CSS module is
        // generated: `Card_close__3xF9a`.
        let plain = token.split("--").next().unwrap_or_default();
        let (block, element) = plain.rsplit_once("__").unwrap_or(("", plain));
        identifier(element, role).or_else(|| identifier(block, role))
    })
}

/// Returns the words of a class that say something, without styles, sizes and generic words at
/// either end. Words such as left count only beside others.
pub(super) fn telling(words: &[String]) -> Option<String> {
    let says = |word: &String| {
        let numbers = word.chars().all(|c| c.is_ascii_digit());
        let size = word.trim_end_matches("px").trim_end_matches('x');
        let size = word != "x" && size.chars().all(|c| c.is_ascii_digit() || c == 'x');
        !numbers && !size && !lists(STYLES, word) && !lists(GENERIC, word)
    };
    let belongs = |word: &String| says(word) || lists(NAMING, word);
    let words: Vec<String> =
        words.iter().filter(|word| word.len() <= 3 || !is_generated(word)).cloned().collect();
    let (first, last) = (words.iter().position(says)?, words.iter().rposition(says)?);
    let from = words[..first].iter().rposition(|word| !belongs(word)).map_or(0, |at| at + 1);
    let to = last + words[last + 1..].iter().take_while(|word| belongs(word)).count();
    let words = &words[from..=to];
    // One letter is a word only in the name of a letter: `x` closes.
    let telling = words.iter().any(|word| word.len() > 1 && !is_generated(word)) || words == ["x"];
    if telling { joined(words) } else { None }
}

/// Joins words, as many as a guess may have.
fn joined(words: &[String]) -> Option<String> {
    let mut out = String::new();
    let mut is_cut = words.len() > MOST_WORDS;
    for word in words.iter().take(MOST_WORDS) {
        let space = usize::from(!out.is_empty());
        if out.len() + space + word.len() > WORDS_LIMIT - ICON.len() {
            is_cut = true;
            break;
        }
        if space > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
    // What was cut off may leave a word that asks for more; `shuffle-on` was not cut.
    while let Some((rest, last)) = out.rsplit_once(' ')
        && is_cut
        && lists(JOINING, last)
    {
        out.truncate(rest.len());
    }
    (!out.is_empty()).then_some(out)
}

/// Whether a word says nothing about what an element is for.
fn is_noise(word: &str, role: &str) -> bool {
    word.len() < 2
        || word == role
        || is_generated(word)
        || lists(GENERIC, word)
        || lists(LAYOUT, word)
}

/// Whether a word looks generated: numbers among letters, or no vowel.
fn is_generated(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.len() - digits;
    let vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    if digits > 0 {
        // `h1`, `mp3`, `web2`, `top10` are words.
        let tail = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let plain = tail.len() == digits && digits <= 2 && letters > 0 && letters != 1 && vowel;
        return !plain;
    }
    (letters >= 4 && !vowel) || word.len() > 20
}

fn strip_extension(name: &str) -> &str {
    let known =
        ["svg", "png", "gif", "jpg", "jpeg", "webp", "avif", "ico", "html", "htm", "php", "aspx"];
    match name.rsplit_once('.') {
        Some((stem, end)) if known.contains(&end.to_ascii_lowercase().as_str()) => stem,
        _ => name,
    }
}
