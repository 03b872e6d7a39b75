//! Part of `cargo lab find --rows`: questions with `where`, `order_by` and `aggregate`. SQLite
//! answers them about the data that the page is made of.

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Value, json};

use super::generate::{self, Meaning};
use super::gold::Gold;
use super::{QUESTIONS, RowsRun};
use crate::mcp::McpClient;
use crate::random::Random;
use crate::report::table;

/// How many questions are asked about one page.
const PER_PAGE: usize = 4;

/// The meaning of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ColumnMeaning {
    Number,
    /// Dates and durations.
    Ordered,
    Text,
}

/// A question, for the program and for SQLite.
#[derive(Debug, Default)]
struct Question {
    kind: &'static str,
    asked: Value,
    sql: String,
    values: Vec<SqlValue>,
    /// Which columns of the answer are sums.
    sums: Vec<usize>,
}

/// The data of a page.
struct Data {
    gold: Gold,
    meanings: Vec<Vec<Meaning>>,
    columns: Vec<ColumnMeaning>,
    sqlite: Connection,
}

impl Data {
    /// Fills a table: `c` is a cell as people read it, `f` without regard to case, `v` its meaning.
    fn new(made: generate::Made) -> anyhow::Result<Data> {
        let generate::Made { gold, meanings, .. } = made;
        let width = gold.columns.len();
        let columns = (0..width).map(|at| meaning_of(&meanings, at)).collect();
        let sqlite = Connection::open_in_memory()?;
        let names: Vec<String> = (0..width).map(|at| format!("c{at}, f{at}, v{at}")).collect();
        sqlite.execute(&format!("create table t (n, {})", names.join(", ")), [])?;
        for (n, (row, means)) in gold.rows.iter().zip(&meanings).enumerate() {
            let mut values = vec![SqlValue::Integer(n as i64)];
            for (text, meaning) in row.iter().zip(means) {
                values.push(SqlValue::Text(text.clone()));
                values.push(SqlValue::Text(text.to_lowercase()));
                values.push(sql_value(meaning));
            }
            let marks = vec!["?"; values.len()].join(", ");
            sqlite.execute(&format!("insert into t values ({marks})"), params_from_iter(values))?;
        }
        Ok(Data { gold, meanings, columns, sqlite })
    }

    /// Returns a condition: for the program, for SQLite, and its values.
    fn condition(&self, random: &mut Random) -> (String, String, Vec<SqlValue>) {
        loop {
            let column = random.below(self.columns.len());
            let row = random.below(self.gold.rows.len());
            let text = &self.gold.rows[row][column];
            let name = &self.gold.columns[column];
            if random.percent(8) {
                return (format!("{name} is empty"), format!("c{column} = ''"), Vec::new());
            }
            if text.is_empty() || text.contains(['"', '\'']) {
                continue;
            }
            let quoted = match random.percent(30) || text.contains(" and ") {
                true => format!("\"{text}\""),
                false => text.clone(),
            };
            if random.percent(15) {
                let part: String = text.chars().skip(random.below(3)).take(4).collect();
                let part = part.trim().to_owned();
                if part.is_empty() || part.to_lowercase().contains("and") {
                    continue;
                }
                let sql = format!("instr(f{column}, ?) > 0");
                let value = SqlValue::Text(part.to_lowercase());
                return (format!("{name} contains \"{part}\""), sql, vec![value]);
            }
            let operator = ["=", "!=", "<", "<=", ">", ">="][random.below(6)];
            let is_order = !matches!(operator, "=" | "!=");
            let (own, value, given) = match self.columns[column] {
                ColumnMeaning::Text => {
                    // Cells with a text and no meaning have the order of their letters.
                    let given = if random.percent(30) { quoted.to_uppercase() } else { quoted };
                    let value = given.trim_matches('"').to_lowercase();
                    (format!("f{column}"), SqlValue::Text(value), given)
                }
                ColumnMeaning::Number if random.percent(40) => {
                    let number = random.below(2_000) as i64;
                    let value = SqlValue::Integer(number * 100);
                    (format!("v{column}"), value, number.to_string())
                }
                _ => {
                    let value = sql_value(&self.meanings[row][column]);
                    (format!("v{column}"), value, quoted)
                }
            };
            let sql = match (operator, is_order) {
                ("!=", _) => format!("({own} is null or {own} != ?)"),
                (_, true) => format!("c{column} != '' and {own} {operator} ?"),
                _ => format!("{own} {operator} ?"),
            };
            return (format!("{name} {operator} {given}"), sql, vec![value]);
        }
    }

    /// Returns one or two conditions.
    fn conditions(&self, random: &mut Random) -> (String, String, Vec<SqlValue>) {
        let (mut asked, mut sql, mut values) = self.condition(random);
        if random.percent(40) {
            let (more, more_sql, more_values) = self.condition(random);
            asked = format!("{asked} and {more}");
            sql = format!("({sql}) and ({more_sql})");
            values.extend(more_values);
        }
        (asked, sql, values)
    }

    fn question(&self, random: &mut Random, number: usize) -> Question {
        let mut asked = json!({ "format": "json", "limit": 1_000, "max_tokens": 1_000_000 });
        let (mut filter, mut values) = ("1".to_owned(), Vec::new());
        let kind =
            ["where", "order_by", "aggregate", "where, order_by", "where, aggregate"][number % 5];
        if kind.contains("where") {
            let given;
            (given, filter, values) = self.conditions(random);
            asked["where"] = given.into();
        }
        let mut sums = Vec::new();
        let sql = if kind.contains("aggregate") {
            self.aggregate(random, &mut asked, &mut sums, &filter)
        } else {
            let mut order = "n".to_owned();
            if kind.contains("order_by") {
                let column = random.below(self.columns.len());
                let (word, way) =
                    [("", "asc"), (" asc", "asc"), (" desc", "desc")][random.below(3)];
                asked["order_by"] = format!("{}{word}", self.gold.columns[column]).into();
                order = match self.columns[column] {
                    ColumnMeaning::Text => format!("c{column} = '', f{column} {way}, n"),
                    _ => format!("v{column} is null, v{column} {way}, n"),
                };
            }
            let cells: Vec<String> = (0..self.columns.len()).map(|at| format!("c{at}")).collect();
            format!("select {} from t where {filter} order by {order}", cells.join(", "))
        };
        Question { kind, asked, sql, values, sums }
    }

    fn aggregate(
        &self,
        random: &mut Random,
        asked: &mut Value,
        sums: &mut Vec<usize>,
        filter: &str,
    ) -> String {
        let of = |meaning| -> Vec<usize> {
            (0..self.columns.len()).filter(|at| self.columns[*at] == meaning).collect()
        };
        let (numbers, texts) = (of(ColumnMeaning::Number), of(ColumnMeaning::Text));
        let by = texts.get(random.below(texts.len())).copied().filter(|_| random.percent(60));
        let sum = numbers.get(random.below(numbers.len())).copied();
        let (mut amounts, mut selected) = (Vec::new(), Vec::new());
        if sum.is_none() || random.percent(60) {
            amounts.push("count".to_owned());
            selected.push("count(*)".to_owned());
        }
        if let Some(sum) = sum {
            amounts.push(format!("sum({})", self.gold.columns[sum]));
            selected.push(format!("coalesce(sum(v{sum}), 0)"));
            sums.push(usize::from(by.is_some()) + selected.len() - 1);
        }
        let amounts = amounts.join(", ");
        let outer: Vec<String> = (0..selected.len()).map(|at| format!("a{at}")).collect();
        let outer = outer.join(", ");
        let named = selected.iter().enumerate().map(|(at, one)| format!("{one} as a{at}"));
        let selected = named.collect::<Vec<_>>().join(", ");
        match by {
            Some(by) => {
                asked["aggregate"] = format!("{amounts} by {}", self.gold.columns[by]).into();
                // The text of a group is that of its first row.
                format!(
                    "select t.c{by}, {outer} from (select min(n) as first, {selected} from t \
                     where {filter} group by f{by}) as g join t on t.n = g.first order by g.first"
                )
            }
            None => {
                asked["aggregate"] = amounts.into();
                format!("select {selected} from t where {filter}")
            }
        }
    }

    /// Returns the answer of SQLite, each cell as a text.
    fn answer(&self, question: &Question) -> anyhow::Result<Vec<Vec<String>>> {
        let mut statement = self.sqlite.prepare(&question.sql)?;
        let width = statement.column_count();
        let rows = statement.query_map(params_from_iter(question.values.iter()), |row| {
            (0..width).map(|at| row.get::<_, SqlValue>(at)).collect::<Result<Vec<_>, _>>()
        })?;
        let text = |value: SqlValue| match value {
            SqlValue::Integer(number) => number.to_string(),
            SqlValue::Text(text) => text,
            _ => String::new(),
        };
        let mut out = Vec::new();
        for row in rows {
            out.push(row?.into_iter().map(text).collect());
        }
        Ok(out)
    }
}

fn sql_value(meaning: &Meaning) -> SqlValue {
    match meaning {
        Meaning::Number(number) | Meaning::Duration(number) => SqlValue::Integer(*number),
        Meaning::Date(date) => SqlValue::Text(date.clone()),
        Meaning::Text => SqlValue::Null,
    }
}

fn meaning_of(meanings: &[Vec<Meaning>], at: usize) -> ColumnMeaning {
    meanings
        .iter()
        .find_map(|row| match row[at] {
            Meaning::Number(_) => Some(ColumnMeaning::Number),
            Meaning::Date(_) | Meaning::Duration(_) => Some(ColumnMeaning::Ordered),
            Meaning::Text => None,
        })
        .unwrap_or(ColumnMeaning::Text)
}

/// Reads a printed sum in hundredths.
fn hundredths(text: &str) -> Option<String> {
    let number: String =
        text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')).collect();
    // A point of a currency's name, as in `Fr.`
    let number = number.trim_end_matches('.');
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction:0<2}");
    let value: i64 = digits.parse().ok()?;
    Some(value.to_string())
}

/// Asks the questions, and compares the answers.
pub async fn run(run: &RowsRun<'_>) -> anyhow::Result<Vec<String>> {
    let site = generate::serve(run.seed).await?;
    let client = run.client("chromium").await?;
    let mut random = Random::new(run.seed ^ 0x5159);
    let pages: Vec<u64> = (0..generate::PAGES)
        .filter(|number| !generate::page(run.seed, *number).made.meanings.is_empty())
        .collect();
    let mut pages = random.sample(pages, QUESTIONS.div_ceil(PER_PAGE));
    random.shuffle(&mut pages);
    let (mut asked, mut misses) = (0, Vec::new());
    let mut kinds: Vec<(&str, usize, usize)> = Vec::new();
    for page in pages {
        let data = Data::new(generate::page(run.seed, page).made)?;
        client.open(&format!("{site}/{page}")).await?;
        for _ in 0..PER_PAGE {
            let question = data.question(&mut random, asked);
            asked += 1;
            let wrong = ask(&client, &data, &question).await?;
            let right = usize::from(wrong.is_none());
            match kinds.iter_mut().find(|(kind, ..)| *kind == question.kind) {
                Some((_, count, sum)) => (*count, *sum) = (*count + 1, *sum + right),
                None => kinds.push((question.kind, 1, right)),
            }
            misses.extend(wrong.map(|wrong| format!("page {page}, {}: {wrong}", question.asked)));
        }
    }
    client.close().await?;
    table("question | asked | equal");
    for (kind, count, right) in &kinds {
        println!("| {kind} | {count} | {right} |");
    }
    println!("| **all** | {asked} | {} |", asked - misses.len());
    Ok(misses)
}

/// Asks one question; returns what is wrong with the answer.
async fn ask(
    client: &McpClient,
    data: &Data,
    question: &Question,
) -> anyhow::Result<Option<String>> {
    let right = data.answer(question)?;
    let reply = client.ask("read_rows", question.asked.clone()).await?;
    if reply.failed {
        return Ok(Some(reply.text));
    }
    let mut read = Gold::parse(&reply.text)?.rows;
    for row in &mut read {
        for sum in &question.sums {
            if let Some(cell) = row.get_mut(*sum) {
                *cell = hundredths(cell).unwrap_or_else(|| cell.clone());
            }
        }
    }
    let plain = |rows: &[Vec<String>]| -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| super::gold::plain(cell)).collect()).collect()
    };
    let (read, right) = (plain(&read), plain(&right));
    if read == right {
        return Ok(None);
    }
    let at = read.iter().zip(&right).position(|(one, other)| one != other);
    let (one, other) = match at {
        Some(at) => (format!("{:?}", read[at]), format!("{:?}", right[at])),
        None => (format!("{} rows", read.len()), format!("{} rows", right.len())),
    };
    Ok(Some(format!("{one} instead of {other} (row {at:?})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_in_hundredths() {
        for (text, value) in
            [("1200.5 €", "120050"), ("-3 kr", "-300"), ("0", "0"), ("12.34 %", "1234")]
        {
            assert_eq!(hundredths(text).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn sqlite_answers_questions_about_the_gold() {
        let data = Data::new(generate::page(1, 0).made).unwrap();
        let mut random = Random::new(1);
        for number in 0..50 {
            let question = data.question(&mut random, number);
            data.answer(&question).unwrap_or_else(|error| panic!("{question:?}: {error}"));
        }
    }
}
