//! Parses names of keys (`"Control+Shift+a"` → [`KeyChord`]) and maps keys to the US layout. Pure.

use std::str::FromStr;

use crate::api::input::KeyChord;

/// An unknown key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown key {given:?}; use a single character, F1 to F24, or one of {}, optionally after Control+, Shift+, Alt+ or Meta+",
    NAMED.map(|key| key.name).join(", ")
)]
pub struct UnknownKey {
    /// The name that was given.
    pub given: String,
}

/// One key of the keyboard, with everything that a browser needs to press it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) key: String,
    /// `KeyboardEvent.code`; empty if no key of the US layout makes this character.
    pub(crate) code: String,
    /// The Windows virtual key code, which browsers use on every system; 0 if there is none.
    pub(crate) virtual_key: u32,
    /// The text that the key types, if any.
    pub(crate) text: Option<String>,
    /// Whether Shift has to be held for it on the US layout.
    pub(crate) shifted: bool,
}

struct NamedKey {
    name: &'static str,
    virtual_key: u32,
    text: Option<&'static str>,
}

const fn named(name: &'static str, virtual_key: u32) -> NamedKey {
    NamedKey { name, virtual_key, text: None }
}

/// Keys with a name. Their `code` is their name, except for the modifiers and the space bar.
const NAMED: [NamedKey; 25] = [
    NamedKey { name: "Enter", virtual_key: 13, text: Some("\r") },
    named("Tab", 9),
    named("Escape", 27),
    named("Backspace", 8),
    named("Delete", 46),
    named("Insert", 45),
    NamedKey { name: "Space", virtual_key: 32, text: Some(" ") },
    named("ArrowUp", 38),
    named("ArrowDown", 40),
    named("ArrowLeft", 37),
    named("ArrowRight", 39),
    named("Home", 36),
    named("End", 35),
    named("PageUp", 33),
    named("PageDown", 34),
    named("ContextMenu", 93),
    named("CapsLock", 20),
    named("NumLock", 144),
    named("ScrollLock", 145),
    named("Pause", 19),
    named("PrintScreen", 44),
    named("Control", 17),
    named("Shift", 16),
    named("Alt", 18),
    named("Meta", 91),
];

/// Control, but on macOS Meta.
const EITHER: &str = "ControlOrMeta";

const ALIASES: [(&str, &str); 16] = [
    ("Return", "Enter"),
    ("Esc", "Escape"),
    ("Del", "Delete"),
    ("Ins", "Insert"),
    ("Spacebar", "Space"),
    ("Up", "ArrowUp"),
    ("Down", "ArrowDown"),
    ("Left", "ArrowLeft"),
    ("Right", "ArrowRight"),
    ("PgUp", "PageUp"),
    ("PgDn", "PageDown"),
    ("Ctrl", "Control"),
    ("Option", "Alt"),
    ("Command", "Meta"),
    ("Cmd", "Meta"),
    ("Super", "Meta"),
];

/// Punctuation of the US layout: without Shift, with Shift, `code`, virtual key code.
const PUNCTUATION: [(char, char, &str, u32); 21] = [
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    (';', ':', "Semicolon", 186),
    ('=', '+', "Equal", 187),
    (',', '<', "Comma", 188),
    ('-', '_', "Minus", 189),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('`', '~', "Backquote", 192),
    ('[', '{', "BracketLeft", 219),
    ('\\', '|', "Backslash", 220),
    (']', '}', "BracketRight", 221),
    ('\'', '"', "Quote", 222),
];

/// Returns the canonical name of a key, given any of its names in any case.
fn canonical(given: &str) -> Option<String> {
    let given = ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(given))
        .map_or(given, |(_, name)| name);
    if let Some(key) = NAMED.iter().find(|key| key.name.eq_ignore_ascii_case(given)) {
        return Some(key.name.to_owned());
    }
    let number = given.strip_prefix(['F', 'f'])?;
    let plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = number.parse().ok()?;
    (plain && (1..=24).contains(&number)).then(|| format!("F{number}"))
}

fn only_char(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

impl FromStr for KeyChord {
    type Err = UnknownKey;

    /// Parses `Enter`, `a`, `Control+A`, `Control++`. Names may be written in any case.
    fn from_str(given: &str) -> Result<Self, UnknownKey> {
        let unknown = || UnknownKey { given: given.chars().take(40).collect() };
        let (modifiers, key) = match given.strip_suffix('+') {
            Some("") => ("", "+"),
            Some(before) => (before.strip_suffix('+').ok_or_else(unknown)?, "+"),
            None => given.rsplit_once('+').unwrap_or(("", given)),
        };
        let mut chord =
            KeyChord { key: String::new(), control: false, shift: false, alt: false, meta: false };
        if !modifiers.is_empty() {
            for modifier in modifiers.split('+') {
                let modifier = modifier.trim();
                if modifier.eq_ignore_ascii_case(EITHER) {
                    let held = if cfg!(target_os = "macos") {
                        &mut chord.meta
                    } else {
                        &mut chord.control
                    };
                    *held = true;
                    continue;
                }
                match canonical(modifier).as_deref() {
                    Some("Control") => chord.control = true,
                    Some("Shift") => chord.shift = true,
                    Some("Alt") => chord.alt = true,
                    Some("Meta") => chord.meta = true,
                    _ => return Err(unknown()),
                }
            }
        }
        let trimmed = if key.chars().count() > 1 { key.trim() } else { key };
        chord.key = match only_char(trimmed) {
            Some(' ') => "Space".to_owned(),
            Some(character) if character.is_control() => return Err(unknown()),
            // `Control+A` means the A key, not Control+Shift+A; `Shift+a` types an `A`.
            Some(letter) if letter.is_ascii_alphabetic() && chord.shift => {
                letter.to_ascii_uppercase().to_string()
            }
            Some(letter)
                if letter.is_ascii_alphabetic() && (chord.control || chord.alt || chord.meta) =>
            {
                letter.to_ascii_lowercase().to_string()
            }
            Some(character) => character.to_string(),
            None => canonical(trimmed).ok_or_else(unknown)?,
        };
        Ok(chord)
    }
}

impl KeyChord {
    /// Returns the chord that selects everything in a field on this system.
    pub fn select_all() -> KeyChord {
        let mac = cfg!(target_os = "macos");
        KeyChord { key: "a".to_owned(), control: !mac, shift: false, alt: false, meta: mac }
    }
}

impl Key {
    /// Returns the key with this name or this character.
    pub(crate) fn of(name: &str) -> Result<Key, UnknownKey> {
        if let Some(character) = only_char(name).filter(|character| *character != ' ') {
            return Ok(of_character(character));
        }
        let name = if name == " " { "Space" } else { name };
        let name = canonical(name).ok_or_else(|| UnknownKey { given: name.to_owned() })?;
        let Some(known) = NAMED.iter().find(|key| key.name == name) else {
            // Only the function keys have a canonical name without being in the table.
            let number: u32 = name[1..].parse().unwrap_or(1);
            return Ok(Key {
                code: name.clone(),
                key: name,
                virtual_key: 111 + number,
                text: None,
                shifted: false,
            });
        };
        Ok(Key {
            key: if name == "Space" { " ".to_owned() } else { name.clone() },
            code: match name.as_str() {
                "Control" | "Shift" | "Alt" | "Meta" => format!("{name}Left"),
                _ => name,
            },
            virtual_key: known.virtual_key,
            text: known.text.map(str::to_owned),
            shifted: false,
        })
    }

    /// Returns the key that the same physical key types while Shift is held.
    pub(crate) fn with_shift(self) -> Key {
        let Some(character) = only_char(&self.key) else { return self };
        if character.is_ascii_lowercase() {
            return of_character(character.to_ascii_uppercase());
        }
        match PUNCTUATION.iter().find(|(plain, ..)| *plain == character) {
            Some((_, shifted, ..)) => of_character(*shifted),
            None => self,
        }
    }
}

/// Returns the name of the key that types a character on the US layout; `None` if no key does.
pub(crate) fn key_for(character: char) -> Option<String> {
    match character {
        '\n' | '\r' => Some("Enter".to_owned()),
        '\t' => Some("Tab".to_owned()),
        ' ' => Some("Space".to_owned()),
        _ => Some(character.to_string()).filter(|_| !of_character(character).code.is_empty()),
    }
}

fn of_character(character: char) -> Key {
    let text = character.to_string();
    let (code, virtual_key, shifted) = if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        (format!("Key{upper}"), upper as u32, character.is_ascii_uppercase())
    } else {
        match PUNCTUATION
            .iter()
            .find(|(plain, shifted, ..)| *plain == character || *shifted == character)
        {
            Some((_, shifted, code, virtual_key)) => {
                ((*code).to_owned(), *virtual_key, *shifted == character)
            }
            None => (String::new(), 0, false),
        }
    };
    Key { key: text.clone(), code, virtual_key, text: Some(text), shifted }
}

#[cfg(test)]
mod tests;
