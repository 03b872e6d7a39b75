//! Parses the address of a browser or a driver, and opens a connection to it.

use std::net::SocketAddr;

use tokio::net::TcpStream;

/// Names of the local machine.
const LOCAL: [&str; 4] = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EndpointAddress {
    pub(crate) web_socket: bool,
    pub(crate) authority: String,
    /// The path, without a slash at its end.
    pub(crate) path: String,
}

impl EndpointAddress {
    /// Parses an address; the error is a reason.
    pub(crate) fn parse(url: &str) -> Result<EndpointAddress, String> {
        let (scheme, rest) = url.trim().split_once("://").unwrap_or(("http", url.trim()));
        let web_socket = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "ws" => true,
            "https" | "wss" => {
                return Err(
                    "https:// and wss:// are not supported (forward the port instead)".to_owned()
                );
            }
            _ => return Err("it is not an http:// or ws:// address".to_owned()),
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
        if authority.contains('@') {
            return Err("a user name or password in the address is not supported".to_owned());
        }
        let sane = |c: char| c.is_ascii_alphanumeric() || ".-_:[]%".contains(c);
        if authority.is_empty() || !authority.chars().all(sane) {
            return Err("it is not the address of a browser".to_owned());
        }
        if !path.chars().all(|c| c.is_ascii_graphic()) {
            return Err("it is not the address of a browser".to_owned());
        }
        let after_host = authority.rfind(']').map_or(authority, |end| &authority[end..]);
        let authority = match after_host.split_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => authority.to_owned(),
            Some(_) => return Err("its port is not a valid number".to_owned()),
            // A browser's address has no path; an address with one is a driver on the default port
            // of HTTP.
            None => format!("{authority}:{}", if web_socket || path.len() > 1 { 80 } else { 9222 }),
        };
        Ok(EndpointAddress { web_socket, authority, path: path.trim_end_matches('/').to_owned() })
    }

    /// Returns whether the host is the local machine.
    pub(crate) fn is_local(&self) -> bool {
        let host =
            self.authority.rsplit_once(':').map_or(self.authority.as_str(), |(host, _)| host);
        LOCAL.contains(&host)
    }

    /// Replaces a name of the local machine by the driver's address `place`, because a driver calls
    /// its own machine `localhost`.
    pub(crate) fn seen_from(mut self, place: SocketAddr) -> EndpointAddress {
        let (host, port) = self.authority.rsplit_once(':').unwrap_or((&self.authority, "80"));
        if LOCAL.contains(&host) && !place.ip().is_loopback() {
            self.authority = match place.ip() {
                std::net::IpAddr::V4(ip) => format!("{ip}:{port}"),
                std::net::IpAddr::V6(ip) => format!("[{ip}]:{port}"),
            };
        }
        self
    }
}

/// Opens a connection; returns it with the address of the peer.
pub(crate) async fn dial(authority: &str) -> Result<(TcpStream, SocketAddr), String> {
    let stream = TcpStream::connect(authority).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::ConnectionRefused => "nothing is listening there".to_owned(),
        _ => error.to_string(),
    })?;
    let place = stream.peer_addr().map_err(|error| error.to_string())?;
    Ok((stream, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |url: &str, web_socket: bool, authority: &str, path: &str| {
            let address =
                EndpointAddress::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
            let expected = EndpointAddress {
                web_socket,
                authority: authority.to_owned(),
                path: path.to_owned(),
            };
            assert_eq!(address, expected, "{url}");
        };
        check("http://localhost:9222", false, "localhost:9222", "");
        check("http://127.0.0.1:9222/", false, "127.0.0.1:9222", "");
        check("localhost:9333", false, "localhost:9333", "");
        check("http://localhost", false, "localhost:9222", "");
        check("http://grid:4444/wd/hub/", false, "grid:4444", "/wd/hub");
        check("ws://[::1]:9222/devtools/browser/x", true, "[::1]:9222", "/devtools/browser/x");
        check("http://grid/wd/hub", false, "grid:80", "/wd/hub");
        check("ws://host:3000?token=x", true, "host:3000", "/?token=x");
        check("http://[::1]", false, "[::1]:9222", "");
        for garbage in [
            "",
            "http://",
            "ftp://x",
            "https://x",
            "http://a b",
            "http://x:y",
            "http://name:secret@x:1",
            "http://x:99999",
            "http://x:1/a b",
            "http://x:1/\r\nHost: y",
            "::::",
            "\u{0}",
        ] {
            assert!(EndpointAddress::parse(garbage).is_err(), "{garbage}");
        }
    }

    #[test]
    fn the_machine_of_the_driver() {
        let from = |place: &str, url: &str| {
            let place = place.parse().expect("a place");
            EndpointAddress::parse(url).expect("an address").seen_from(place).authority
        };
        assert_eq!(from("10.0.0.7:4444", "ws://127.0.0.1:5000/session/x"), "10.0.0.7:5000");
        assert_eq!(from("10.0.0.7:4444", "ws://grid:5000/session/x"), "grid:5000");
        assert_eq!(from("127.0.0.1:4444", "ws://localhost:5000/session/x"), "localhost:5000");
        assert_eq!(from("[fd00::1]:4444", "ws://localhost:5000/"), "[fd00::1]:5000");
    }
}
