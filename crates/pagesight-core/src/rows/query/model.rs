//! Questions about rows, and why one cannot be answered.

/// A question about rows. Texts are as the caller wrote them.
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
    /// Conditions that are joined by a different word than `and`.
    #[error(
        "where: {given:?} has a condition after or; only and joins conditions, so ask twice, or quote a value that has or in it"
    )]
    Joined {
        /// The value, as it was given.
        given: String,
    },
    /// A quoted value has no end, or something follows it.
    #[error("where: the quotes in {given:?} do not end before and; close them")]
    Quotes {
        /// The value, as it was given.
        given: String,
    },
    /// The aggregate is not known.
    #[error(
        "aggregate: {given:?} is not known; use count or sum(COLUMN), several with commas, and at the end by COLUMN if you want groups"
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
pub(super) enum Operator {
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
pub(super) struct RowCondition {
    pub(super) column: usize,
    pub(super) operator: Operator,
    pub(super) value: String,
}

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) column: usize,
    pub(super) descending: bool,
}

/// Counts and sums of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aggregate {
    pub(super) amounts: Vec<Amount>,
    pub(super) by: Option<usize>,
}

/// A count of rows, or the sum of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Count,
    Sum(usize),
}

/// The amounts of one group of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The text that its rows share; `None` for all rows.
    pub by: Option<String>,
    /// The number of its rows, or a sum as it is printed, for each amount that was asked for.
    pub amounts: Vec<String>,
}
