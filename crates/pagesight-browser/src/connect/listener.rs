//! Finds out whose process listens on a port of this machine. A browser that ended leaves the file
//! with its port behind, and then any user of the machine could listen there and be taken for it.
//! Only Linux lists the owners of ports.

#[cfg(target_os = "linux")]
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether a process of a different user accepts connections to a port of 127.0.0.1. Where that
/// cannot be found out, the answer is no.
#[cfg(target_os = "linux")]
pub(super) fn is_foreign(port: u16) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(user) = std::fs::metadata("/proc/self").map(|own| own.uid()) else { return false };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    tables.into_iter().flatten().any(|table| owners(&table, port).any(|owner| owner != user))
}

/// Without a list of owners, nobody counts as a stranger.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_foreign(_: u16) -> bool {
    false
}

/// Returns the users whose processes accept connections to a port of 127.0.0.1.
#[cfg(target_os = "linux")]
fn owners(table: &str, port: u16) -> impl Iterator<Item = u32> {
    table.lines().skip(1).filter_map(move |line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, given) = fields.get(1)?.split_once(':')?;
        let listens = *fields.get(3)? == "0A";
        let same = u16::from_str_radix(given, 16).ok()? == port;
        let reached = match local_address(address)? {
            IpAddr::V4(address) => address.is_loopback() || address.is_unspecified(),
            IpAddr::V6(address) => {
                let mapped = address.to_ipv4_mapped().is_some_and(|four| four.is_loopback());
                mapped || address.is_unspecified()
            }
        };
        (listens && same && reached).then(|| fields.get(7)?.parse().ok())?
    })
}

/// Parses an address, which the kernel prints as numbers in the byte order of the machine.
#[cfg(target_os = "linux")]
fn local_address(text: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        let digits = text.get(at * 8..at * 8 + 8)?;
        Some(u32::from_str_radix(digits, 16).ok()?.to_ne_bytes())
    };
    match text.len() {
        8 => Some(IpAddr::V4(Ipv4Addr::from(word(0)?))),
        32 => {
            let words = [word(0)?, word(1)?, word(2)?, word(3)?];
            let bytes: [u8; 16] = words.as_flattened().try_into().ok()?;
            Some(IpAddr::V6(Ipv6Addr::from(bytes)))
        }
        _ => None,
    }
}

#[cfg(all(test, target_os = "linux", target_endian = "little"))]
mod tests {
    use super::*;

    const HEAD: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    #[test]
    fn only_who_listens_there_is_an_owner() {
        let line = |address: &str, state: &str, user: u32| {
            format!(
                "   0: {address}:2406 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  {user}        0 4711 1 0000 100 0 0 10 0\n"
            )
        };
        let here = |table: String| owners(&(HEAD.to_owned() + &table), 9222).collect::<Vec<u32>>();
        assert_eq!(here(line("0100007F", "0A", 1000)), [1000]);
        assert_eq!(here(line("00000000", "0A", 33)), [33]);
        assert_eq!(here(line("0000000000000000FFFF00000100007F", "0A", 33)), [33]);
        assert_eq!(here(line("00000000000000000000000000000000", "0A", 33)), [33]);
        let both = line("0100007F", "0A", 1000) + &line("00000000", "0A", 33);
        assert_eq!(here(both), [1000, 33]);
        for other in [
            line("0100007F", "01", 33),
            line("0101A8C0", "0A", 33),
            line("00000000000000000000000001000000", "0A", 33),
            line("0100007F", "0A", 33).replace(":2406", ":2407"),
            "nonsense\n".to_owned(),
        ] {
            assert!(here(other.clone()).is_empty(), "{other}");
        }
    }

    #[test]
    fn our_own_port_is_not_foreign() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
        assert_eq!(owners(&table, port).count(), 1);
        assert!(!is_foreign(port));
    }
}
