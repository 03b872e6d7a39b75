//! Explains that a port is taken: which process has it, and which port is free.

use std::net::{IpAddr, SocketAddr, TcpListener};

/// How many ports after the taken one are tried.
const TRIED: u16 = 20;

/// Explains that a port is taken, and by which process. `flag` is the one that chooses it, with
/// only a port or with the whole address.
pub(crate) fn in_use(address: SocketAddr, flag: PortFlag) -> String {
    let owner = owner_of_port(address.port()).unwrap_or_else(|| "a different process".to_owned());
    let free = next_free(address.ip(), address.port());
    let advice = match (flag, free) {
        (PortFlag::Port, Some(port)) => format!("try --port {port}"),
        (PortFlag::Listen, Some(port)) => {
            format!("try --listen {}", SocketAddr::new(address.ip(), port))
        }
        (PortFlag::Port, None) => "give a different one with --port".to_owned(),
        (PortFlag::Listen, None) => "give a different one with --listen".to_owned(),
    };
    format!("port {} is in use by {owner}; {advice}", address.port())
}

/// The flag that chooses a port.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PortFlag {
    /// `--port PORT`
    Port,
    /// `--listen ADDRESS:PORT`
    Listen,
}

/// Returns the next port that is free now.
fn next_free(ip: IpAddr, port: u16) -> Option<u16> {
    let next = (1..=TRIED).filter_map(|step| port.checked_add(step));
    next.into_iter().find(|port| TcpListener::bind((ip, *port)).is_ok())
}

/// Returns the name and the id of the process that listens on a port, where /proc shows it.
fn owner_of_port(port: u16) -> Option<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let inode = tables.into_iter().flatten().find_map(|table| {
        table.lines().skip(1).find_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (_, given) = fields.get(1)?.rsplit_once(':')?;
            let listens = fields.get(3) == Some(&"0A");
            let same = u16::from_str_radix(given, 16).ok()? == port;
            (listens && same).then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
        })
    })?;
    let socket = format!("socket:[{inode}]");
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    // `self` is one of them under a different name.
    for process in processes.filter(|process| process.file_name().to_str().is_some_and(is_number)) {
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let owns = files.flatten().any(|file| {
            std::fs::read_link(file.path())
                .is_ok_and(|target| target.as_os_str() == socket.as_str())
        });
        if owns {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            let id = process.file_name().to_string_lossy().into_owned();
            return Some(format!("{} ({id})", name.trim()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_names_its_process_and_a_free_port() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let port = address.port();
        for (flag, advice) in
            [(PortFlag::Port, "; try --port "), (PortFlag::Listen, "; try --listen 127.0.0.1:")]
        {
            let said = in_use(address, flag);
            assert!(said.starts_with(&format!("port {port} is in use by ")), "{said}");
            assert!(said.contains(advice), "{said}");
            #[cfg(target_os = "linux")]
            assert!(said.contains(&format!("({})", std::process::id())), "{said}");
        }
    }
}
