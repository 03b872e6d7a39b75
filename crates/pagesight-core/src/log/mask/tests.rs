//! Tests what is masked in headers, bodies and texts.

use super::*;
use serde_json::json;

#[test]
fn headers_have_no_secrets() {
    for (name, value, kept) in [
        ("Authorization", "Bearer abc", "•••"),
        ("Proxy-Authorization", "Basic abc", "•••"),
        ("X-Api-Key", "k", "•••"),
        ("X-Goog-Api-Key", "k", "•••"),
        ("X-Auth-Token", "k", "•••"),
        ("X-CSRF-Token", "k", "•••"),
        ("X-XSRF-TOKEN", "k", "•••"),
        ("cookie", "sid=abc; theme=dark", "sid=•••; theme=•••"),
        ("Set-Cookie", "sid=abc; Path=/; HttpOnly", "sid=•••; Path=/; HttpOnly"),
        ("set-cookie", "a=1; Secure\nb=2; Path=/", "a=•••; Secure b=•••; Path=/"),
        ("Cookie", "path=abc; domain=x", "path=•••; domain=•••"),
        ("Set-Cookie", "path=abc; Path=/; Secure", "path=•••; Path=/; Secure"),
        ("Set-Cookie", "secure; Path=/", "•••; Path=/"),
        ("Location", "/cb?code=abc&state=x#t=1", "/cb?code=…&state=…"),
        ("x-odd", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh", "•••"),
        ("content-type", "application/json", "application/json"),
        ("access-control-allow-headers", "authorization", "authorization"),
        ("www-authenticate", "Basic realm=\"Members\"", "Basic realm=\"Members\""),
        ("etag", "\"5f2d-abc\"", "\"5f2d-abc\""),
        ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (X11; Linux x86_64)"),
    ] {
        assert_eq!(header(name, value), kept, "{name}: {value}");
    }
}

#[test]
fn bodies_have_no_secrets() {
    let mut body = json!({
        "user": "ann", "password": "x", "pin": 1234, "list": [{"accessToken": "abc"}],
        "cookies": ["a"], "session": {"id": "42", "sid": "x"}, "note": "Bearer abcdef123",
        "empty": {"token": ""}, "token": null, "tokens": ["abc", 3], "secrets": {"db": "x"},
    });
    json(&mut body);
    assert_eq!(
        body,
        json!({
            "user": "ann", "password": "•••", "pin": "•••", "list": [{"accessToken": "•••"}],
            "cookies": ["•••"], "session": {"id": "•••", "sid": "•••"}, "note": "Bearer •••",
            "empty": {"token": ""}, "token": null, "tokens": ["•••", 3], "secrets": {"db": "•••"},
        })
    );
    let mut named = json!([{"name": "password", "value": "x"}, {"key": "Cvv", "value": 123}, {
        "name": "city", "value": "Rome", "pass": "a", "cardCvc": 1, "pw": "b", "password2": "c",
    }]);
    json(&mut named);
    assert_eq!(
        named,
        json!([{"name": "password", "value": "•••"}, {"key": "Cvv", "value": "•••"}, {
            "name": "city", "value": "Rome", "pass": "•••", "cardCvc": "•••", "pw": "•••",
            "password2": "•••",
        }])
    );
}

#[test]
fn everything_inside_of_a_secret_member_is_masked() {
    let mut body = json!({
        "password": {"value": "x", "history": [["y", 1], {"old": {"plain": "z"}}], "ok": true},
        "fields": [{"id": "privateKey", "content": {"pem": ["x"]}, "hint": "h"}],
    });
    json(&mut body);
    assert_eq!(
        body,
        json!({
            "password": {
                "value": "•••", "history": [["•••", "•••"], {"old": {"plain": "•••"}}], "ok": true,
            },
            "fields": [{"id": "privateKey", "content": {"pem": ["•••"]}, "hint": "h"}],
        })
    );
}

#[test]
fn forms_have_no_secrets() {
    assert_eq!(
        form("user=ann+b&password=x&api_key=abc123&pass=&d=%7B%22pin%22%3A%22a%20b%22%7D"),
        ["user=ann+b", "password=•••", "api_key=•••", "pass=", "d={\"pin\":\"•••\"}"]
    );
    let body = "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n\
        --b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter two\r\n3\r\n\
        --b\r\nContent-Type: x/y\r\ncontent-disposition: form-data; name=\"a;cvv\"\r\n\r\n12\r\n\
        --b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\
        Content-Type: text/plain\r\n\r\ninside\r\n--b--\r\n";
    let kept = ["user=ann", "password=•••", "a;cvv=•••", "f=file a.txt"];
    assert_eq!(multipart(body).unwrap(), kept);
    assert_eq!(multipart(&body.replace("\r\n", "\n")).unwrap(), kept);
    assert_eq!(multipart("password=x"), None);
    assert_eq!(multipart(""), None);
}

#[test]
fn texts_have_no_secrets() {
    for (given, kept) in [
        ("GET http://a/x?token=abc&p=1 failed", "GET http://a/x?token=…&p=… failed"),
        ("sent Authorization: Bearer abc123xyz", "sent Authorization: •••"),
        ("{Authorization: \"Bearer abc\", x: 1}", "{Authorization: \"•••\", x: 1}"),
        ("using Bearer abc123xyz now", "using Bearer ••• now"),
        ("Cookie: sid=abc; theme=dark", "Cookie: •••"),
        ("{\"password\":\"hunter\",\"a\":1}", "{\"password\":\"•••\",\"a\":1}"),
        ("{user: \"ann\", token: \"abc\"}", "{user: \"ann\", token: \"•••\"}"),
        ("login password=letmein ok", "login password=••• ok"),
        ("api_key: sk_live_1234567890", "api_key: •••"),
        ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh", "jwt •••"),
        ("Unexpected token: }", "Unexpected token: }"),
        ("password: required", "password: required"),
        ("TypeError: x.token is undefined", "TypeError: x.token is undefined"),
        ("Basic usage of the parser", "Basic usage of the parser"),
        ("5 items loaded in 300 ms: ok", "5 items loaded in 300 ms: ok"),
        ("Grüße = schön", "Grüße = schön"),
        ("{password: \"correct horse battery\", a: 1}", "{password: \"•••\", a: 1}"),
        ("{password: \"#x1\"}", "{password: \"•••\"}"),
        ("password=P@ss#1 ok", "password=••• ok"),
        ("password: P@ss#2024, next", "password: •••, next"),
        ("password: *abc", "password: •••"),
        ("password: required!", "password: required!"),
        (r#"{"password":"it\"s","a":1}"#, r#"{"password":"•••","a":1}"#),
        (r#"{"password":"back\\","a":1}"#, r#"{"password":"•••","a":1}"#),
        (r#""{\"password\":\"a b\",\"c\":1}""#, r#""{\"password\":\"•••\",\"c\":1}""#),
        ("{password: 'it\"s', b: 'c'}", "{password: '•••', b: 'c'}"),
        ("{password: \"never closed", "{password: \"•••"),
        ("password = letmein", "password = •••"),
        ("Map {\"password\" => \"a b\"}", "Map {\"password\" => \"•••\"}"),
        ("tokens.map(token => token.id)", "tokens.map(token => token.id)"),
        ("if (token == null)", "if (token == null)"),
        ("{tokens: 1, token: [\"a]b\", \"c\"], d: 2}", "{tokens: 1, token: [•••], d: 2}"),
        (
            "{name: \"password\", value: \"a b\"}, {value: \"c\"}",
            "{name: \"password\", value: \"•••\"}, {value: \"c\"}",
        ),
        ("tests pass: 1234", "tests pass: 1234"),
        ("{pass: \"abc\"}", "{pass: \"•••\"}"),
        ("Cookie: a=\"b c\"; d=e\nnext", "Cookie: •••\nnext"),
        ("session: {id: 42}", "session: {•••}"),
        ("Unexpected token: { in JSON", "Unexpected token: { in JSON"),
        ("{apiKey: \"abc\", a: 1}", "{apiKey: \"•••\", a: 1}"),
        ("apiKey: hunter", "apiKey: •••"),
        ("api_key: required", "api_key: required"),
        ("{\"password\":{\"value\":\"x}\"},\"a\":1}", "{\"password\":{•••},\"a\":1}"),
        ("{privateKey: Array(2) [1, {a: 'b]'}], a: 1}", "{privateKey: Array(2) [•••], a: 1}"),
        ("{password: Secret {value: 'x', cut: 'y", "{password: Secret {•••"),
        ("<a><soap:password>x y</soap:password>", "<a><soap:password>•••</soap:password>"),
        ("a password>x", "a password>x"),
        ("<s:Password Type='#T'>x</s:Password> y", "<s:Password Type='#T'>•••</s:Password> y"),
        ("<password token=\"a\">x</password>", "<password token=\"•••\">•••</password>"),
        ("<password><![CDATA[x<y]]></password>z", "<password>•••</password>z"),
        ("<password><value>x</value></password>z", "<password>•••</password>z"),
        ("<password><value>x</val", "<password>•••"),
        ("<password/><a>x</a>", "<password/><a>x</a>"),
        ("login <user> <password> [x] <file>", "login <user> <password>•••<file>"),
        ("{value: \"x y\", name: \"password\"}", "{value: \"•••\", name: \"password\"}"),
        ("{value: \"x\"}, {name: \"password\"}", "{value: \"x\"}, {name: \"password\"}"),
        ("<input value=\"x y\" name=\"pw\">", "<input value=\"•••\" name=\"pw\">"),
        ("Name: \"password\", Value: \"x\"", "Name: \"password\", Value: \"•••\""),
        ("{tokens: [\"a\"], n: 1}", "{tokens: [•••], n: 1}"),
        ("{maxTokens: 500}", "{maxTokens: 500}"),
    ] {
        assert_eq!(text(given), kept, "{given}");
    }
}

/// Writes the words of a name in one of the usual ways.
fn name_in(style: usize, words: &[String]) -> String {
    let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
    match style {
        0 => words.join("_"),
        1 => words.join("-"),
        2 => words.join("_").to_uppercase(),
        3 => words.iter().map(capital).collect(),
        4 => words[0].clone() + &words[1..].iter().map(capital).collect::<String>(),
        _ => words.iter().map(capital).collect::<Vec<_>>().join("-"),
    }
}

/// Puts a value into members, lists and named pairs; each number is one of them.
fn nested(name: &str, value: Value, layers: &[usize]) -> Value {
    let inside = layers.iter().fold(value, |inner, layer| match layer {
        0 => json!({ "value": inner }),
        1 => json!([inner, 7]),
        2 => json!({ "a b": { "c": inner }, "d": null }),
        _ => json!(["first", [inner]]),
    });
    match layers.len() % 2 {
        0 => json!({ "user": "ann", name: inside, "z": 1 }),
        _ => json!([{ "name": name, "value": inside }]),
    }
}

/// Writes JSON as a console shows an object.
fn previewed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let member = |(name, value): (&String, &Value)| match is_word(name) {
                true => format!("{name}: {}", previewed(value)),
                false => format!("'{name}': {}", previewed(value)),
            };
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(previewed).collect();
            format!("Array({}) [{}]", items.len(), items.join(", "))
        }
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(500))]

    #[test]
    fn every_secret_name_is_masked_everywhere(
        which: proptest::sample::Index,
        style in 0usize..6,
        before in proptest::sample::select(vec!["", "user", "x", "new", "my"]),
        after in proptest::sample::select(vec!["", "2", "Value"]),
        value in "[a-z]{3,8}77777",
        layers in proptest::collection::vec(0usize..4, 0..4),
    ) {
        let names = crate::text::secret_names::all();
        let words: Vec<String> = [vec![before.to_owned()], which.get(&names).clone()].concat();
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let after = if style == 4 { after } else { "" };
        let name = name_in(style, &words) + after;
        let tree = nested(&name, value.clone().into(), &layers);
        let mut body = tree.clone();
        json(&mut body);
        let boundary = "--b\r\nContent-Disposition: form-data; name=";
        let shown = [
            body.to_string(),
            text(&tree.to_string()),
            text(&Value::from(tree.to_string()).to_string()),
            text(&previewed(&tree)),
            text(&format!("sent {name}={value} to it")),
            text(&format!("<a><{name}>{value}</{name}></a>")),
            text(&format!("<a><{name} b=\"c\"><d/><d>{value}</d></{name}></a>")),
            form(&format!("a=1&{name}={value}&user[{name}][value]={value}")).join("&"),
            form(&format!("data={}", tree.to_string().replace('&', "%26"))).join("&"),
            multipart(&format!("{boundary}\"{name}\"\r\n\r\n{value}\r\n--b--")).unwrap().concat(),
            header(&format!("X-{name}"), &value),
        ];
        for shown in shown {
            proptest::prop_assert!(!shown.contains("77777"), "{name}: {shown}");
        }
    }
}
