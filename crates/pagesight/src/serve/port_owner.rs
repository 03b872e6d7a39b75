//! Finds the process that has a port which was asked for.

use std::net::SocketAddr;

/// Explains that a port is taken, and by which process.
pub(crate) fn in_use(address: SocketAddr) -> String {
    let owner = match owner_of_port(address.port()) {
        Some(owner) => format!("by {owner}"),
        None => "by a different process".to_owned(),
    };
    format!(
        "--listen: port {} is in use {owner}; give a different one with --listen",
        address.port()
    )
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
    for process in processes {
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let owns = files.flatten().any(|file| {
            std::fs::read_link(file.path())
                .is_ok_and(|target| target.as_os_str() == socket.as_str())
        });
        if owns {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            let id = process.file_name().to_string_lossy().into_owned();
            return Some(format!("{} (process {id})", name.trim()));
        }
    }
    None
}
