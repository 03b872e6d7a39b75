//! Answers questions about rows: filters, sorts, counts and adds.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::model::{Aggregate, Amount, Group, Operator, RowCondition, RowsQuery, RowsQueryError};
use super::parse::{ColumnNames, aggregate, conditions, order};
use crate::rows::model::{Row, RowTable};
use crate::rows::value::{Decimal, Locale, NumberUnit, Value};
use crate::text::escape::{bounded, clean};

/// How much of a text an error repeats.
const SHOWN: usize = 60;

/// The rows that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsSelection {
    /// The columns to show.
    pub columns: Vec<usize>,
    /// The rows that match, in the order that was asked for, by their place in the table.
    pub rows: Vec<usize>,
    /// Their amounts, in the order in which the groups begin.
    pub groups: Option<Vec<Group>>,
    /// The names of the amounts: `count`, `sum(Amount)`.
    pub amounts: Vec<String>,
    /// The column that groups them.
    pub by: Option<usize>,
    /// Cells that may be values, but were compared as texts: the column and their number.
    pub as_text: Vec<(usize, usize)>,
}

/// The cells of one column, read once.
struct ColumnValues {
    locale: Locale,
    values: Vec<Value>,
    /// The texts without regard to case.
    folded: Vec<String>,
    compared_as_text: usize,
}

/// Chooses the rows of a table.
pub fn select(table: &RowTable, query: &RowsQuery) -> Result<RowsSelection, RowsQueryError> {
    let names = ColumnNames::of(&table.columns);
    let columns = match query.columns.is_empty() {
        true => (0..table.columns.len()).collect(),
        false => {
            let found = query.columns.iter().map(|name| names.find("columns", name));
            found.collect::<Result<Vec<usize>, _>>()?
        }
    };
    let filter = query.filter.as_deref().map(|given| conditions(&names, given)).transpose()?;
    let order = query.order_by.as_deref().map(|given| order(&names, given)).transpose()?;
    let amounts = query.aggregate.as_deref().map(|given| aggregate(&names, given)).transpose()?;
    let mut read = HashMap::new();
    let mut rows: Vec<usize> = (0..table.rows.len()).collect();
    for condition in filter.unwrap_or_default() {
        let values = values(&mut read, table, condition.column);
        let wanted = Value::of(&condition.value, values.locale);
        // Cells have plain spaces only.
        let folded = clean(&condition.value).to_lowercase();
        rows.retain(|row| values.meets(*row, &condition, &wanted, &folded));
    }
    if let Some(order) = order {
        let values = values(&mut read, table, order.column);
        values.sort(&mut rows, order.descending);
    }
    let by = amounts.as_ref().and_then(|amounts| amounts.by);
    let name = |amount: &Amount| match amount {
        Amount::Count => "count".to_owned(),
        Amount::Sum(column) => format!("sum({})", table.columns[*column]),
    };
    let asked = amounts.iter().flat_map(|amounts| &amounts.amounts);
    let names: Vec<String> = asked.map(name).collect();
    let groups = amounts.map(|amounts| groups(&mut read, table, &rows, &amounts)).transpose()?;
    let doubtful = |(column, values): (usize, ColumnValues)| (column, values.compared_as_text);
    let mut as_text: Vec<(usize, usize)> = read.into_iter().map(doubtful).collect();
    as_text.retain(|(_, count)| *count > 0);
    as_text.sort_unstable();
    Ok(RowsSelection { columns, rows, groups, amounts: names, by, as_text })
}

fn values<'r>(
    read: &'r mut HashMap<usize, ColumnValues>,
    table: &RowTable,
    column: usize,
) -> &'r mut ColumnValues {
    read.entry(column).or_insert_with(|| {
        let texts = || table.rows.iter().map(|row: &Row| table.cell(row, column));
        let locale = Locale::of(&table.language).or(Locale::of_texts(texts()));
        ColumnValues {
            locale,
            values: table
                .rows
                .iter()
                .map(|row| match Value::of(table.cell(row, column), locale) {
                    value @ (Value::Text | Value::Doubtful) => {
                        table.moment(row, column).map_or(value, |moment| Value::of(moment, locale))
                    }
                    value => value,
                })
                .collect(),
            folded: texts().map(|text| text.trim().to_lowercase()).collect(),
            compared_as_text: 0,
        }
    })
}

impl ColumnValues {
    /// Whether the cell of a row meets a condition. `folded`: its value without regard to case.
    fn meets(
        &mut self,
        row: usize,
        condition: &RowCondition,
        wanted: &Value,
        folded: &str,
    ) -> bool {
        let text = &self.folded[row];
        match condition.operator {
            Operator::IsEmpty => return text.is_empty(),
            Operator::Contains => return text.contains(folded),
            _ => {}
        }
        let order = match self.values[row].compare(wanted) {
            Some(order) => order,
            None => {
                // An empty cell is neither less nor greater than anything.
                let is_order = !matches!(condition.operator, Operator::Equal | Operator::NotEqual);
                if text.is_empty() && is_order {
                    return false;
                }
                let is_value = *wanted != Value::Text || self.values[row] != Value::Text;
                let doubtful = self.values[row] == Value::Doubtful || is_value && is_order;
                let decides = text != folded && !text.is_empty();
                self.compared_as_text += usize::from(doubtful && decides);
                text.as_str().cmp(folded)
            }
        };
        match condition.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }
    }

    /// Sorts rows by this column: values of the most common kind first, then texts, then empty
    /// cells, whatever the direction. Equal ones stay in the order of the page.
    fn sort(&mut self, rows: &mut [usize], descending: bool) {
        let mut kinds = [0usize; 3];
        let kind = |value: &Value| match value {
            Value::Number(..) => Some(0),
            Value::Date(..) => Some(1),
            Value::Duration(_) => Some(2),
            Value::Doubtful | Value::Text => None,
        };
        for row in rows.iter() {
            if let Some(kind) = kind(&self.values[*row]) {
                kinds[kind] += 1;
            }
        }
        let common = (0..3).max_by_key(|at| (kinds[*at], 2 - at)).unwrap_or_default();
        // Amounts of different currencies have no order.
        let unit = |value: &Value| match value {
            Value::Number(_, unit) if *unit != NumberUnit::None => Some(unit.clone()),
            _ => None,
        };
        let mut units = rows.iter().filter_map(|row| unit(&self.values[*row]));
        let mixed = units.next().is_some_and(|first| units.any(|unit| unit != first));
        let rank = |row: usize| {
            let is_value = !mixed && kind(&self.values[row]) == Some(common);
            match (is_value, self.folded[row].is_empty()) {
                (true, _) => 0,
                (false, false) => 1,
                (false, true) => 2,
            }
        };
        let values = rows.iter().filter(|row| rank(**row) == 0).count();
        let other = rows
            .iter()
            .filter(|row| rank(**row) == 1)
            .filter(|row| mixed || values > 0 || self.values[**row] == Value::Doubtful)
            .count();
        rows.sort_by(|one, two| {
            let ranks = rank(*one).cmp(&rank(*two));
            let order = match rank(*one) {
                0 => self.values[*one].compare(&self.values[*two]).unwrap_or(Ordering::Equal),
                _ => self.folded[*one].cmp(&self.folded[*two]),
            };
            ranks.then(if descending { order.reverse() } else { order })
        });
        self.compared_as_text += other;
    }
}

/// The sum of a column of one group.
#[derive(Clone)]
struct Sum {
    sum: Decimal,
    unit: NumberUnit,
}

/// Counts and adds the rows of each group.
fn groups(
    read: &mut HashMap<usize, ColumnValues>,
    table: &RowTable,
    rows: &[usize],
    asked: &Aggregate,
) -> Result<Vec<Group>, RowsQueryError> {
    struct Total {
        by: Option<String>,
        count: usize,
        /// One for each amount; that of a count stays 0.
        sums: Vec<Sum>,
    }
    let mut totals: Vec<Total> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let nothing = Sum { sum: Decimal::default(), unit: NumberUnit::None };
    let total = |by: Option<String>| Total {
        by,
        count: 0,
        sums: vec![nothing.clone(); asked.amounts.len()],
    };
    if asked.by.is_none() {
        totals.push(total(None));
    }
    for row in rows {
        let at = match asked.by {
            None => 0,
            Some(by) => {
                let text = table.cell(&table.rows[*row], by);
                *known.entry(text.to_lowercase()).or_insert_with(|| {
                    totals.push(total(Some(text.to_owned())));
                    totals.len() - 1
                })
            }
        };
        let total = &mut totals[at];
        total.count += 1;
        for (amount, sum) in asked.amounts.iter().zip(&mut total.sums) {
            let Amount::Sum(column) = *amount else { continue };
            let text = table.cell(&table.rows[*row], column);
            match &values(read, table, column).values[*row] {
                _ if text.is_empty() => {}
                Value::Number(number, unit) if unit.fits(&sum.unit) => {
                    sum.sum = sum.sum.plus(number);
                    if *unit != NumberUnit::None {
                        sum.unit = unit.clone();
                    }
                }
                _ => {
                    let column = table.columns[column].clone();
                    return Err(RowsQueryError::Sum { column, text: bounded(text, SHOWN) });
                }
            }
        }
    }
    let group = |total: Total| {
        let printed = |(amount, Sum { sum, unit }): (&Amount, &Sum)| match (amount, unit) {
            (Amount::Count, _) => total.count.to_string(),
            (_, NumberUnit::None) => sum.to_string(),
            (_, NumberUnit::Percent) => format!("{sum} %"),
            (_, NumberUnit::Currency(sign)) => format!("{sum} {sign}"),
        };
        let amounts = asked.amounts.iter().zip(&total.sums).map(printed).collect();
        Group { by: total.by, amounts }
    };
    Ok(totals.into_iter().map(group).collect())
}
