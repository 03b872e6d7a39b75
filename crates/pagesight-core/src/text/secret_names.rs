//! Names whose values are secrets. All crates and the page script use one list,
//! `secret_names.json`: `words` are whole words of a name, `ends` also ends of words that are
//! written without a gap. `card`, `code` and `codeNames` are phrases by which the page script
//! recognises fields; `|` is between words of which one is needed.

use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SecretNames<'a> {
    #[serde(borrow)]
    words: Vec<&'a str>,
    #[serde(borrow)]
    ends: Vec<&'a str>,
    #[serde(borrow)]
    card: Vec<&'a str>,
    #[serde(borrow)]
    code: Vec<&'a str>,
    #[serde(borrow)]
    code_names: Vec<&'a str>,
}

#[allow(clippy::expect_used, reason = "the list is a part of this crate, and tests read it")]
static NAMES: LazyLock<SecretNames<'static>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("secret_names.json")).expect("the list is valid JSON")
});

/// Whether the values of this name are secrets, whatever they look like. `accessToken`,
/// `access_token`, `X-Access-Token` and `accesstoken2` are such names.
pub(crate) fn is_secret_name(name: &str) -> bool {
    is_secret(&name_words(name))
}

/// Whether a name of these words is secret.
pub(crate) fn is_secret(words: &[String]) -> bool {
    let (mut joined, mut starts) = (String::new(), vec![0]);
    for word in words {
        joined.push_str(word);
        let phrases = || NAMES.card.iter().chain(&NAMES.code).chain(&NAMES.code_names);
        if NAMES.words.contains(&&**word)
            || NAMES.ends.iter().any(|end| joined.ends_with(end))
            || phrases().any(|phrase| ends_with_phrase(&joined, phrase, &starts))
        {
            return true;
        }
        starts.push(joined.len());
    }
    false
}

/// Whether joined words end with a phrase that begins where one of them does.
fn ends_with_phrase(joined: &str, phrase: &str, starts: &[usize]) -> bool {
    let (before, last) = phrase.rsplit_once(' ').unwrap_or(("", phrase));
    last.split('|').filter_map(|word| joined.strip_suffix(word)).any(|rest| match before {
        "" => starts.contains(&rest.len()),
        before => ends_with_phrase(rest, before, starts),
    })
}

/// Returns the words of a name in lower case: `accessToken`, `access_token` and `X-Access-Token`
/// end with the same word.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    let decoded = decoded(name);
    let mut rest = decoded.chars().peekable();
    while let Some(c) = rest.next() {
        if !c.is_alphanumeric() {
            last = ' ';
            continue;
        }
        // `userId`, `password2`; `APIKey` ends with `Key`.
        let begins = last == ' '
            || last.is_lowercase() && c.is_uppercase()
            || last.is_alphabetic() && c.is_ascii_digit()
            || last.is_uppercase()
                && c.is_uppercase()
                && rest.peek().is_some_and(|next| next.is_lowercase());
        match words.last_mut().filter(|_| !begins) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        last = c;
    }
    words
}

/// Decodes `%20` and `+`. What is not valid stays as it is.
pub(crate) fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// Returns each name of the list once, in words.
#[cfg(test)]
pub(crate) fn all() -> Vec<Vec<String>> {
    let phrases = NAMES.card.iter().chain(&NAMES.code).chain(&NAMES.code_names);
    let written = phrases.flat_map(|phrase| {
        let mut found = vec![Vec::new()];
        for choices in phrase.split(' ') {
            let longer = |found: &Vec<String>| {
                let choices = choices.split('|').map(str::to_owned);
                choices.map(|word| [found.clone(), vec![word]].concat()).collect::<Vec<_>>()
            };
            found = found.iter().flat_map(longer).collect();
        }
        found
    });
    let single = NAMES.words.iter().chain(&NAMES.ends).map(|word| vec![(*word).to_owned()]);
    let keys = ["api", "access", "private", "secret"];
    let keys = keys.map(|first| vec![first.to_owned(), "key".to_owned()]);
    single.chain(written).chain(keys).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_by_their_words() {
        for name in [
            "apiKey",
            "api-key",
            "API_KEY",
            "apiKeyProd",
            "privateKey",
            "rsaPrivateKey",
            "password2",
            "user[password]",
            "cardNumber",
            "cc-num",
            "cvv",
            "securityCode",
            "verification_code",
            "mfa",
            "2faCode",
            "six_digit_code",
            "one-time-password",
            "onetimepassword",
            "dbPasswd",
            "%74oken",
            "newPwd",
            "x.apiKey",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "",
            "key",
            "code",
            "country_code",
            "accNumber",
            "cardTitle",
            "postcode",
            "secretary",
            "passwordless",
            "tokenizer",
            "zipCode",
            "author",
            "pinned",
            "discount",
            "digit",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
        assert!(all().iter().all(|words| is_secret(words)), "each name of the list");
    }
}
