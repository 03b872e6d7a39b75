//! Addresses as problem, waiting and error lines print them: without the values of parameters and
//! without the fragment, because both may hold secrets such as access tokens.

/// Returns an address without the values of its parameters and without its fragment:
/// `/login?token=…&next=…`.
pub fn without_values(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let parameters: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| match pair.split_once('=') {
            Some((key, value)) if !value.is_empty() => format!("{key}=…"),
            Some((key, _)) => format!("{key}="),
            // A bare word may be a value as well as a key.
            None => "…".to_owned(),
        })
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// Returns a text with every address in it as [`without_values`] gives it.
pub fn without_values_in(text: &str) -> String {
    let delimits = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')');
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(delimits) {
        let word = piece.trim_end_matches(delimits);
        let is_address = word.contains("://") || word.starts_with('/');
        if is_address && word.contains(['?', '#']) {
            out.push_str(&without_values(word));
        } else {
            out.push_str(word);
        }
        out.push_str(&piece[word.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_fragments_are_left_out() {
        for (given, expected) in [
            ("/api/orders", "/api/orders"),
            ("/api?token=abc&page=2", "/api?token=…&page=…"),
            ("https://a.example/x?code=1#access_token=2", "https://a.example/x?code=…"),
            ("/x#access_token=2", "/x"),
            ("/x?secret", "/x?…"),
            ("/x?a=", "/x?a="),
        ] {
            assert_eq!(without_values(given), expected, "{given}");
        }
    }

    #[test]
    fn addresses_in_texts_are_found() {
        assert_eq!(
            without_values_in("GET http://a/b?t=1 failed (see '/c?d=2#e'), is it? yes #1"),
            "GET http://a/b?t=… failed (see '/c?d=…'), is it? yes #1"
        );
    }
}
