//! Checks addresses and the search for passwords.

use super::*;

fn read(given: &str) -> Result<StoreAddress, PostgresError> {
    StoreAddress::parse(given, &|name| (name == "USER").then(|| "me".to_owned()))
}

#[test]
fn addresses_are_read() {
    let full = read("postgres://u@db.example:6000/shop?sslmode=require&schema=ui").unwrap();
    assert_eq!(full.shown(), "postgres://u@db.example:6000/shop");
    assert_eq!((full.schema(), full.config.get_ssl_mode()), ("ui", SslMode::Require));
    let plain = read("postgresql://db.example").unwrap();
    assert_eq!(plain.shown(), "postgres://me@db.example:5432/me");
    assert_eq!((plain.schema(), plain.config.get_ssl_mode()), ("pagesight", SslMode::Require));
    let socket = read("postgres:///shop?host=/run/pg").unwrap();
    assert_eq!(socket.shown(), "postgres://me@/run/pg:5432/shop");
    let verified = read("postgres://db/x?sslmode=verify-full&sslrootcert=%2Fca.pem").unwrap();
    assert_eq!(verified.verification, Verification::Full(Some("/ca.pem".into())));
}

#[test]
fn a_server_on_another_host_needs_tls() {
    for (address, mode) in [
        ("postgres://u@db.example/x", SslMode::Require),
        ("postgres://u@db.example/x?sslmode=prefer", SslMode::Require),
        ("postgres://u@db.example/x?sslmode=disable", SslMode::Disable),
        ("postgres://u@db.example/x?sslmode=verify-full", SslMode::Require),
        ("postgres://u@10.0.0.7/x", SslMode::Require),
        ("postgres://u@localhost.evil.example/x", SslMode::Require),
        ("postgres://u@localhost,db.example/x", SslMode::Require),
        ("postgres://u@localhost/x?hostaddr=10.0.0.7", SslMode::Require),
        ("postgres://u@db.example/x?hostaddr=127.0.0.1", SslMode::Prefer),
        ("postgres://u@localhost/x", SslMode::Prefer),
        ("postgres://u@LOCALHOST/x", SslMode::Prefer),
        ("postgres://u@127.0.0.2/x?sslmode=prefer", SslMode::Prefer),
        ("postgres://u@[::1]/x", SslMode::Prefer),
        ("postgres://u@localhost/x?sslmode=require", SslMode::Require),
        ("postgres:///x?host=/run/pg", SslMode::Disable),
    ] {
        assert_eq!(read(address).unwrap().config.get_ssl_mode(), mode, "{address}");
    }
    // A host of the environment counts, too.
    let environment = |name: &str| match name {
        "PGHOST" => Some("db.example".to_owned()),
        _ => Some("me".to_owned()),
    };
    let named = StoreAddress::parse("postgres:///x", &environment).unwrap();
    assert_eq!(named.config.get_ssl_mode(), SslMode::Require);
}

#[test]
fn the_password_is_taken_out_of_texts_of_the_server() {
    for password in ["s3cret/word", "pw"] {
        let environment = |name: &str| (name == "PGPASSWORD").then(|| password.to_owned());
        let address = StoreAddress::parse("postgres://u@localhost/x", &environment).unwrap();
        let text = address.without_password(&format!("role {password}: refused"));
        assert_eq!(text, "role ${PGPASSWORD}: refused");
    }
}

#[test]
fn wrong_addresses_are_refused_and_not_repeated() {
    for with_password in ["postgres://u:s3cret@h/d", "postgres://h/d?password=s3cret"] {
        let error = read(with_password).unwrap_err();
        assert_eq!(error, PostgresError::PasswordInAddress);
        assert!(!error.to_string().contains("s3cret"));
    }
    for bad in [
        "",
        "mysql://h/d",
        "postgres://h:port/d",
        "postgres://h/d?sslmode=maybe",
        "postgres://h/d?sslmode=require&sslrootcert=x",
        "postgres://h/d?no_such_option=1",
        "postgres://h/d?schema=Big",
        "postgres://h/d?schema=a\"b",
        "postgres://h/d?schema=pg_catalog",
        "postgres://h/d?schema=",
    ] {
        assert!(matches!(read(bad), Err(PostgresError::Address(_))), "{bad}");
    }
}

#[test]
fn the_password_comes_from_the_environment_or_the_pass_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pass");
    std::fs::write(&file, "# host\nother:*:*:*:no\n*:*:shop:u:a\\:b:c\n*:*:*:*:last\n").unwrap();
    #[cfg(unix)]
    let set_mode = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
    };
    #[cfg(unix)]
    set_mode(0o600);
    let path = file.display().to_string();
    let find = |given: &str, variable: Option<&str>| {
        let environment = |name: &str| match name {
            "PGPASSFILE" => Some(path.clone()),
            "PGPASSWORD" => variable.map(str::to_owned),
            _ => None,
        };
        StoreAddress::parse(given, &environment).map(|address| address.password())
    };
    assert_eq!(find("postgres://u@db/shop", None).unwrap().as_deref(), Some("a:b:c"));
    assert_eq!(find("postgres://u@db/else", None).unwrap().as_deref(), Some("last"));
    assert_eq!(find("postgres://u@other/shop", None).unwrap().as_deref(), Some("no"));
    assert_eq!(find("postgres://u@db/shop", Some("env")).unwrap().as_deref(), Some("env"));
    #[cfg(unix)]
    {
        set_mode(0o640);
        let error = find("postgres://u@db/shop", None).unwrap_err();
        assert!(error.to_string().contains("chmod 0600"), "{error}");
    }
}
