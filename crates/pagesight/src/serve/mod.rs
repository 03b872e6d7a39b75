//! One process for many agents: workspaces in one browser, over HTTP and over a socket.

pub(crate) mod call_log;
pub(crate) mod client;
pub(crate) mod host;
pub(crate) mod http;
pub(crate) mod http_workspace;
pub(crate) mod local_socket;
pub(crate) mod lost;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod port_owner;
pub(crate) mod protocol;
pub(crate) mod runtime_folder;
pub(crate) mod session_setup;
pub(crate) mod settings;
pub(crate) mod shared_workspace;
pub(crate) mod socket;
