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
    assert_eq!((plain.schema(), plain.config.get_ssl_mode()), ("pagesight", SslMode::Prefer));
    let socket = read("postgres:///shop?host=/run/pg").unwrap();
    assert_eq!(socket.shown(), "postgres://me@/run/pg:5432/shop");
    let verified = read("postgres://db/x?sslmode=verify-full&sslrootcert=%2Fca.pem").unwrap();
    assert_eq!(verified.verification, Verification::Full(Some("/ca.pem".into())));
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
