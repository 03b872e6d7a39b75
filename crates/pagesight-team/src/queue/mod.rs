//! The queue of a check in PostgreSQL. `check enqueue` adds a run with its pages; workers on any
//! number of machines lease pages, check them and deliver the results.
//!
//! A page is leased with `FOR UPDATE SKIP LOCKED` for a limited time, which its worker extends.
//! Each lease has a higher fencing number than the one before, and a result is accepted only with
//! the newest number, in the same statement that ends the lease. So each page has exactly one
//! accepted result, whatever happens to workers and connections. `leases` has the calls of
//! workers, `runs` those about whole runs. `ticket` is the form of a run and its pages in the
//! queue, and `work` is a worker.

mod leases;
mod runs;
mod ticket;
#[cfg(test)]
mod with_postgres;
mod work;

pub use leases::{Delivered, Delivery, LeasedPage, MOST_LEASES, Queue};
pub use runs::{NewRun, PageResult, RunState, RunSummary, WorkerState};
pub use ticket::{PageTicket, RunTicket, TICKET_VERSION, TicketError};
pub use work::{RunWorker, WorkOptions, WorkTally};
