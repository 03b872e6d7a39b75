//! Grids and tree grids made of elements with roles.

use super::values::escaped;
use super::{Data, Made, made};
use crate::random::Random;

fn row(cells: &[String], attributes: &str) -> String {
    format!("<div role=row{attributes}>{}</div>", cells.concat())
}

fn cell(role: &str, html: &str, attributes: &str) -> String {
    format!("<div role={role}{attributes}>{html}</div>")
}

/// A grid; the rows of some are in groups, have a head, or say only a part of the columns.
pub fn grid(random: &mut Random) -> Made {
    let data = Data::any(random);
    let grouped = random.percent(60);
    let indexes = random.percent(50);
    // A virtual grid draws only some of its columns.
    let first = if indexes && random.percent(40) { 3 } else { 1 };
    let role = if random.percent(70) { "grid" } else { "table" };
    let cell_role = if role == "grid" { "gridcell" } else { "cell" };
    let row_heads = random.percent(30);
    let index = |at: usize| match indexes {
        true => format!(" aria-colindex={}", at + first),
        false => String::new(),
    };
    let heads: Vec<String> = data
        .heads
        .iter()
        .enumerate()
        .map(|(at, head)| cell("columnheader", &escaped(head), &index(at)))
        .collect();
    let mut rows = String::new();
    for (number, cells) in data.rows.iter().enumerate() {
        let cells: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let role = if row_heads && at == 0 { "rowheader" } else { cell_role };
                let focus = if role == "gridcell" { " tabindex=-1" } else { "" };
                cell(role, &one.html, &format!("{focus}{}", index(at)))
            })
            .collect();
        let at = if indexes { format!(" aria-rowindex={}", number + 2) } else { String::new() };
        rows.push_str(&row(&cells, &at));
    }
    let at = if indexes { " aria-rowindex=1" } else { "" };
    let head = row(&heads, at);
    let inside = match grouped {
        true => format!("<div role=rowgroup>{head}</div><div role=rowgroup>{rows}</div>"),
        false => format!("{head}{rows}"),
    };
    let html = format!("<div role={role} aria-label=Accounts>{inside}</div>");
    data.made(role, html)
}

/// A grid that keeps each row in two parts, one of them for the columns that do not scroll.
pub fn pinned(random: &mut Random) -> Made {
    let data = Data::any(random);
    let at = 1 + random.below(data.heads.len() - 1);
    let head = |from: usize, to: usize| {
        let cells: Vec<String> = data.heads[from..to]
            .iter()
            .enumerate()
            .map(|(n, head)| {
                cell("columnheader", &escaped(head), &format!(" aria-colindex={}", from + n + 1))
            })
            .collect();
        row(&cells, " aria-rowindex=1")
    };
    // The rows stand in any order; their indexes say which is which.
    let mut order: Vec<usize> = (0..data.rows.len()).collect();
    random.shuffle(&mut order);
    let part = |from: usize, to: usize| -> String {
        let one = |number: &usize| {
            let cells: Vec<String> = data.rows[*number][from..to]
                .iter()
                .enumerate()
                .map(|(n, one)| {
                    cell("gridcell", &one.html, &format!(" aria-colindex={}", from + n + 1))
                })
                .collect();
            row(&cells, &format!(" aria-rowindex={}", number + 2))
        };
        order.iter().map(one).collect()
    };
    let width = data.heads.len();
    let html = format!(
        "<div role=grid aria-label=Accounts><div class=line><div role=rowgroup>{}</div><div role=rowgroup>{}</div></div>\
         <div class=line><div role=rowgroup>{}</div><div role=rowgroup>{}</div></div></div>",
        head(0, at),
        head(at, width),
        part(0, at),
        part(at, width)
    );
    data.made("grid", html)
}

/// A tree grid: rows have a depth, and those of closed ones are not drawn, or hidden.
pub fn treegrid(random: &mut Random) -> Made {
    let data = Data::any(random);
    let table = random.percent(50);
    let (row_tag, cell_tag) =
        if table { ("tr", "td") } else { ("div role=row", "div role=gridcell") };
    let end = |tag: &str| tag.split(' ').next().unwrap_or_default().to_owned();
    let mut rows = String::new();
    let mut gold = Vec::new();
    let mut level = 1;
    for (at, cells) in data.rows.iter().enumerate() {
        level = match at {
            0 => 1,
            1 => 2,
            _ => 1 + random.below(level.min(3) + 1),
        };
        let hidden = at > 2 && random.percent(20);
        let texts: String = cells
            .iter()
            .map(|one| format!("<{cell_tag}>{}</{}>", one.html, end(cell_tag)))
            .collect();
        let away = if hidden { " style=\"display:none\"" } else { "" };
        rows.push_str(&format!(
            "<{row_tag} aria-level={level} aria-expanded=true{away}>{texts}</{}>",
            end(row_tag)
        ));
        if !hidden {
            let mut row = vec![level.to_string()];
            row.extend(cells.iter().map(|cell| cell.text.clone()));
            gold.push(row);
        }
    }
    let html = if table {
        let heads: String =
            data.heads.iter().map(|head| format!("<th>{}</th>", escaped(head))).collect();
        format!("<table role=treegrid><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")
    } else {
        let heads: Vec<String> =
            data.heads.iter().map(|head| cell("columnheader", &escaped(head), "")).collect();
        format!("<div role=treegrid aria-label=Files>{}{rows}</div>", row(&heads, ""))
    };
    let lang = data.lang();
    let mut columns = vec!["level".to_owned()];
    columns.extend(data.heads);
    made(lang, "treegrid", html, columns, gold)
}
