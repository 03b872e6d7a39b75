//! Checks of pages by many machines, behind the traits of `pagesight-check`: baselines (`store`)
//! and a queue of pages (`queue`) in PostgreSQL, and browsers of a Selenium Grid (`grid`).
//! `postgres` connects to a database.

pub mod grid;
pub mod postgres;
pub mod queue;
pub mod store;
