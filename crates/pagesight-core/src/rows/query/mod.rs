//! Questions about rows: which of them, in which order, and what they amount to.

mod parse;
mod run;

#[cfg(test)]
mod tests;

pub use run::{Answer, select};

/// What is asked of rows. Texts are as the caller wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsQuery {
    /// The columns to show; empty for all.
    pub columns: Vec<String>,
    /// Conditions, such as `State = failed and Amount > 100`.
    pub filter: Option<String>,
    /// A column, and `asc` or `desc`.
    pub order_by: Option<String>,
    /// `count` or `sum(COLUMN)`, each optionally `by COLUMN`.
    pub aggregate: Option<String>,
}

/// Why a question about rows cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsQueryError {
    /// There is no such column.
    #[error("{parameter}: there is no column {given:?}; the columns are {known}")]
    Column {
        /// The parameter that names it.
        parameter: &'static str,
        /// The name, as it was given.
        given: String,
        /// The columns, quoted.
        known: String,
    },
    /// No operator follows the column.
    #[error(
        "where: {given:?} has no operator; use =, !=, <, <=, >, >=, contains or is empty after one of the columns {known}"
    )]
    Operator {
        /// The condition, from there.
        given: String,
        /// The columns, quoted.
        known: String,
    },
    /// No value follows the operator.
    #[error("where: a value is missing after {after:?}; quote it if it is empty")]
    Value {
        /// The operator.
        after: String,
    },
    /// A quoted value has no end, or something follows it.
    #[error("where: the quotes in {given:?} do not end before and; close them")]
    Quotes {
        /// The value, as it was given.
        given: String,
    },
    /// The aggregate is not known.
    #[error(
        "aggregate: {given:?} is not known; use count or sum(COLUMN), each optionally by COLUMN"
    )]
    Aggregate {
        /// The aggregate, as it was given.
        given: String,
    },
    /// A sum of what is not numbers of one unit.
    #[error(
        "aggregate: {column} cannot be added, because {text:?} is not a number of the same unit; choose rows with where"
    )]
    Sum {
        /// The column.
        column: String,
        /// The first text that cannot be added.
        text: String,
    },
    /// A parameter that is empty.
    #[error("{parameter} is empty; leave it out, or name a column")]
    Empty {
        /// The parameter.
        parameter: &'static str,
    },
}

/// How a cell is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    IsEmpty,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    column: usize,
    operator: Operator,
    value: String,
}

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    column: usize,
    descending: bool,
}

/// What rows amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Aggregate {
    /// The column that is added; `None` counts the rows.
    sum: Option<usize>,
    by: Option<usize>,
}

/// What one group of rows amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The text that its rows share; `None` for all rows.
    pub by: Option<String>,
    /// The number of its rows, or their sum as it is printed.
    pub amount: String,
}
