//! Long tests, and those that need a PostgreSQL: `./test long` runs them before a release, and
//! `./test` leaves them out. Each promise that they test has a quick case elsewhere.

mod attach;
mod batches;
mod check_limits;
mod check_size;
mod downloads;
mod hang;
mod hostile;
mod killed;
mod siege;
mod store;
mod storm;
