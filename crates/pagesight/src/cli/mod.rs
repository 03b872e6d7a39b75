//! The terminal interface of the program: arguments, output, exit codes and signals.

pub(crate) mod arguments;
pub(crate) mod browser_environment;
pub(crate) mod check_arguments;
pub(crate) mod connection_arguments;
pub(crate) mod emulation_arguments;
pub(crate) mod exit;
pub(crate) mod file_error;
pub(crate) mod help;
pub(crate) mod install_arguments;
pub(crate) mod log;
pub(crate) mod options;
pub(crate) mod output;
pub(crate) mod page_address;
pub(crate) mod page_arguments;
pub(crate) mod print;
pub(crate) mod project_defaults;
pub(crate) mod queue_arguments;
pub(crate) mod reference;
pub(crate) mod renamed;
pub(crate) mod secrets;
pub(crate) mod shell_arguments;
pub(crate) mod signals;
pub(crate) mod state_file;
pub(crate) mod stop_commands;
pub(crate) mod store_arguments;
pub(crate) mod usage_error;
