//! Tables in HTML.

use super::values::{Cell, escaped};
use super::{Data, Made, made};
use crate::random::Random;

fn td(cell: &Cell) -> String {
    format!("<td>{}</td>", cell.html)
}

fn tr(cells: &[Cell]) -> String {
    format!("<tr>{}</tr>\n", cells.iter().map(td).collect::<String>())
}

fn th(head: &str) -> String {
    format!("<th>{}</th>", escaped(head))
}

fn heads(data: &Data) -> String {
    data.heads.iter().map(|head| th(head)).collect()
}

fn body(data: &Data) -> String {
    data.rows.iter().map(|row| tr(row)).collect()
}

/// A table with a head and a body; some have two columns with the same name.
pub fn plain(random: &mut Random) -> Made {
    let mut data = Data::any(random);
    let caption = if random.percent(40) { "<caption>Accounts</caption>" } else { "" };
    let twice = random.percent(25);
    let shown = data.heads.clone();
    if twice {
        data.heads[2] = data.heads[1].clone();
    }
    let html = format!(
        "<table>{caption}<thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
        heads(&data),
        body(&data)
    );
    if twice {
        data.heads[2] = format!("{} 2", shown[1]);
    }
    data.made("table", html)
}

/// A table whose first row has the heads.
pub fn first_row(random: &mut Random) -> Made {
    let data = Data::any(random);
    let rows = body(&data);
    let html = match random.below(3) {
        0 => format!("<table border=1><tr>{}</tr>{rows}</table>", heads(&data)),
        1 => format!(
            "<table><tbody><tr>{}</tr></tbody><tbody>{rows}</tbody></table>",
            heads(&data).replace("<th>", "<th scope=col>")
        ),
        _ => {
            // Heads that are not marked, in a thead.
            let heads = heads(&data).replace("<th>", "<td>").replace("</th>", "</td>");
            format!("<table><thead><tr>{heads}</tr></thead>{rows}</table>")
        }
    };
    data.made("table", html)
}

/// A table with two or three rows of heads.
pub fn header_rows(random: &mut Random) -> Made {
    let mut data = Data::new(random, 6, 15);
    let groups = ["Person", "Balance", "Time · place"];
    let title = random.percent(40);
    let mut html = String::from("<table><thead>");
    if title {
        html.push_str("<tr><th colspan=6>All of the year</th></tr>");
    }
    // One head spans both rows; the others are below a group.
    html.push_str(&format!("<tr><th rowspan=2>{}</th>", escaped(&data.heads[0])));
    html.push_str(&format!(
        "<th colspan=2>{}</th><th colspan=3>{}</th></tr><tr>",
        groups[1], groups[2]
    ));
    html.push_str(&data.heads[1..].iter().map(|head| th(head)).collect::<String>());
    html.push_str(&format!("</tr></thead><tbody>{}</tbody></table>", body(&data)));
    for (at, head) in data.heads.iter_mut().enumerate().skip(1) {
        *head = format!("{} / {head}", if at < 3 { groups[1] } else { groups[2] });
    }
    data.made("table", html)
}

/// A table with cells that span rows and columns; each of them counts in every row and column.
pub fn spans(random: &mut Random) -> Made {
    let data = Data::new(random, 4, 16);
    let mut gold = data.texts();
    let mut html = format!("<table><thead><tr>{}</tr></thead><tbody>", heads(&data));
    let mut at = 0;
    while at < data.rows.len() {
        let row = &data.rows[at];
        let left = data.rows.len() - at;
        match random.below(4) {
            // The first cell spans rows.
            0 if left > 2 => {
                let span = 2 + random.below(2);
                html.push_str(&format!("<tr><td rowspan={span}>{}</td>", row[0].html));
                html.push_str(&format!("{}</tr>", row[1..].iter().map(td).collect::<String>()));
                for below in 1..span {
                    let cells = data.rows[at + below][1..].iter().map(td).collect::<String>();
                    html.push_str(&format!("<tr>{cells}</tr>"));
                    gold[at + below][0] = gold[at][0].clone();
                }
                at += span;
                continue;
            }
            // A cell in the middle spans a column.
            1 => {
                html.push_str(&format!("<tr>{}<td colspan=2>{}</td>", td(&row[0]), row[1].html));
                html.push_str(&format!("{}</tr>", td(&row[3])));
                gold[at][2] = gold[at][1].clone();
            }
            // The last cell spans this row and the next one, and goes beyond the table at its end.
            2 if left > 1 => {
                let cells = row[..3].iter().map(td).collect::<String>();
                html.push_str(&format!("<tr>{cells}<td rowspan=2>{}</td></tr>", row[3].html));
                let below = data.rows[at + 1][..3].iter().map(td).collect::<String>();
                html.push_str(&format!("<tr>{below}</tr>"));
                gold[at + 1][3] = gold[at][3].clone();
                at += 2;
                continue;
            }
            _ => html.push_str(&tr(row)),
        }
        at += 1;
    }
    html.push_str("</tbody></table>");
    made(data.lang(), "table", html, data.heads, gold)
}

/// A table whose rows have a head; sometimes the corner is empty, or a row has nothing but a
/// title.
pub fn row_headers(random: &mut Random) -> Made {
    let mut data = Data::any(random);
    let corner = random.percent(50);
    let titles = random.percent(40);
    let mut head = heads(&data);
    if corner {
        head = head.replacen(&th(&data.heads[0]), "<td></td>", 1);
    }
    let mut html =
        format!("<table><caption>By person</caption><thead><tr>{head}</tr></thead><tbody>");
    let mut gold = Vec::new();
    for (at, row) in data.rows.iter().enumerate() {
        if titles && at % 5 == 0 {
            let title = format!("Group {at}");
            let columns = data.heads.len();
            html.push_str(&format!("<tr><th colspan={columns} scope=rowgroup>{title}</th></tr>"));
            let mut cells = vec![String::new(); columns];
            cells[0] = title;
            gold.push(cells);
        }
        let cells: String = row[1..].iter().map(td).collect();
        html.push_str(&format!("<tr><th scope=row>{}</th>{cells}</tr>", row[0].html));
        gold.push(row.iter().map(|cell| cell.text.clone()).collect());
    }
    html.push_str("</tbody></table>");
    if corner {
        data.heads[0] = "column 1".to_owned();
    }
    made(data.lang(), "table", html, data.heads, gold)
}

/// A table with a footer and several bodies.
pub fn footer(random: &mut Random) -> Made {
    let data = Data::any(random);
    let columns = data.heads.len();
    let parts = 1 + random.below(3);
    let size = data.rows.len().div_ceil(parts);
    let mut html = format!("<table><thead><tr>{}</tr></thead>", heads(&data));
    let first = random.percent(50);
    let foot =
        format!("<tfoot><tr><th>Total</th>{}</tr></tfoot>", "<td>42</td>".repeat(columns - 1));
    // A footer may stand before the bodies.
    if first {
        html.push_str(&foot);
    }
    for part in data.rows.chunks(size) {
        let rows: String = part.iter().map(|row| tr(row)).collect();
        html.push_str(&format!("<tbody>{rows}</tbody>"));
    }
    if !first {
        html.push_str(&foot);
    }
    html.push_str("</table>");
    let mut page = data.made("table", html);
    let mut total = vec!["42".to_owned(); columns];
    total[0] = "Total".to_owned();
    page.gold.footer = vec![total];
    page
}

/// A table with rows and columns that nobody sees.
pub fn hidden(random: &mut Random) -> Made {
    let data = Data::any(random);
    let ways = ["class=off", "hidden", "style=\"display:none\""];
    let way = ways[random.below(3)];
    let column = random.below(data.heads.len() + 1);
    let cell = |tag: &str, text: &str| format!("<{tag} {way}>{text}</{tag}>");
    let with = |cells: Vec<String>, tag: &str| {
        let mut cells = cells;
        cells.insert(column, cell(tag, "secret"));
        cells.concat()
    };
    let head: Vec<String> = data.heads.iter().map(|head| th(head)).collect();
    let mut html = format!("<table><thead><tr>{}</tr></thead><tbody>", with(head, "th"));
    for row in &data.rows {
        if random.percent(25) {
            html.push_str(&format!("<tr {way}>{}</tr>", with(row.iter().map(td).collect(), "td")));
        }
        html.push_str(&format!("<tr>{}</tr>", with(row.iter().map(td).collect(), "td")));
    }
    html.push_str("</tbody></table>");
    data.made("table", html)
}

/// A table with controls of all kinds in its cells.
pub fn controls(random: &mut Random) -> Made {
    let mut data = Data::new(random, 3, 15);
    let mut rows = Vec::new();
    let state = ["open", "paid", "closed"];
    let mut html = format!(
        "<table><thead><tr><th><input type=checkbox></th>{}<th>Kind</th><th>Text</th>\
         <th>On</th><th>Secret</th><th>Site</th><th></th></tr></thead><tbody>",
        heads(&data)
    );
    for (at, row) in data.rows.iter().enumerate() {
        let (checked, on) = (random.percent(50), random.percent(50));
        let chosen = random.below(3);
        let options: String = state
            .iter()
            .enumerate()
            .map(|(n, name)| {
                format!("<option{}>{name}</option>", if n == chosen { " selected" } else { "" })
            })
            .collect();
        let value = if random.percent(80) { format!("value {at}") } else { String::new() };
        html.push_str(&format!(
            "<tr><td><input type=checkbox{}></td><td><a href=\"/item/{at}?x=1\">{}</a></td>{}\
             <td><select>{options}</select></td><td><input value=\"{value}\"></td>\
             <td><span role=switch tabindex=0 aria-checked={on}></span></td>\
             <td><input type=password value=hunter2></td>\
             <td><a href=https://example.org/{at}><img alt=\"Logo {at}\" width=16 height=16></a></td>\
             <td><button>Edit</button> <button disabled>Delete</button></td></tr>",
            if checked { " checked" } else { "" },
            row[0].html,
            row[1..].iter().map(td).collect::<String>(),
        ));
        let state_of = |on: bool| if on { "checked" } else { "unchecked" }.to_owned();
        let mut cells = vec![state_of(checked), row[0].text.clone(), format!("/item/{at}?x=1")];
        cells.extend(row[1..].iter().map(|cell| cell.text.clone()));
        cells.extend([
            state[chosen].to_owned(),
            value,
            state_of(on),
            "•••".to_owned(),
            format!("Logo {at}"),
            format!("https://example.org/{at}"),
            "Edit Delete".to_owned(),
        ]);
        rows.push(cells);
    }
    html.push_str("</tbody></table>");
    let mut columns = vec!["column 1".to_owned(), data.heads[0].clone()];
    columns.push(format!("{} target", data.heads[0]));
    columns.append(&mut data.heads.split_off(1));
    columns.extend(
        ["Kind", "Text", "On", "Secret", "Site", "Site target", "column 10"].map(str::to_owned),
    );
    made(data.lang(), "table", html, columns, rows)
}

/// Icons: the HTML, and the hint that stands for it.
const ICONS: [(&str, &str); 6] = [
    ("<i class=\"fa fa-check\"></i>", "check icon"),
    // Without its font it is a word.
    ("<span class=\"material-icons\">delete</span>", "delete"),
    (
        "<svg width=16 height=16 role=img aria-label=Locked><path d=\"M0 0h16v16z\"/></svg>",
        "Locked",
    ),
    ("<svg width=16 height=16><title>Warning</title><path d=\"M0 0h16v16z\"/></svg>", "Warning"),
    ("<img src=/star.png alt=Starred width=16 height=16>", "Starred"),
    ("<i class=\"bi bi-trash\" title=\"Deleted\"></i>", "Deleted"),
];

/// A table with icons: in buttons, and ones that only say something.
pub fn icons(random: &mut Random) -> Made {
    let mut data = Data::new(random, 3, 15);
    let mut html = format!(
        "<table><thead><tr>{}<th>Sign</th><th>Action</th></tr></thead><tbody>",
        heads(&data)
    );
    let mut rows = data.texts();
    for (row, cells) in data.rows.iter().zip(&mut rows) {
        let (sign, said) = if random.percent(70) { ICONS[random.below(6)] } else { ("", "") };
        let button = random.below(3);
        let (action, done) = [
            ("<button aria-label=Retry><i class=\"fa fa-rotate\"></i></button>", "Retry"),
            ("<button title=\"Remove it\"><i class=\"fa fa-trash\"></i></button>", "Remove it"),
            (
                "<a href=/edit aria-label=Edit><svg width=16 height=16><path d=\"M0 0h16v16z\"/></svg></a>",
                "Edit",
            ),
        ][button];
        html.push_str(&format!(
            "<tr>{}<td>{sign}</td><td>{action}</td></tr>",
            row.iter().map(td).collect::<String>()
        ));
        cells.extend([said.to_owned(), done.to_owned()]);
        cells.push(if button == 2 { "/edit" } else { "" }.to_owned());
    }
    html.push_str("</tbody></table>");
    data.heads.extend(["Sign", "Action", "Action target"].map(str::to_owned));
    // No link, no column for where links lead.
    if rows.iter().all(|row| row.last().is_some_and(String::is_empty)) {
        data.heads.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    made(data.lang(), "table", html, data.heads, rows)
}

/// A table whose head is a table of its own, so that it stays while the body scrolls.
pub fn head_apart(random: &mut Random) -> Made {
    let data = Data::any(random);
    let copy = match random.below(3) {
        // The body has a copy of the head without a height.
        0 => format!(
            "<thead><tr style=\"height:0\">{}</tr></thead>",
            data.heads
                .iter()
                .map(|head| {
                    let inside =
                        format!("<div style=\"height:0;overflow:hidden\">{}</div>", escaped(head));
                    format!("<th style=\"padding:0;border:0;height:0\">{inside}</th>")
                })
                .collect::<String>()
        ),
        1 => format!("<colgroup>{}</colgroup>", "<col width=120>".repeat(data.heads.len())),
        _ => String::new(),
    };
    let html = format!(
        "<div class=scroll><div class=scroll-head><div class=inner><table><thead><tr>{}</tr></thead></table>\
         </div></div><div class=scroll-body style=\"height:200px;overflow:auto\">\
         <table>{copy}<tbody>{}</tbody></table></div></div>",
        heads(&data),
        body(&data)
    );
    data.made("table", html)
}

/// A table in a shadow root, or one whose rows come through slots.
pub fn in_shadow(random: &mut Random) -> Made {
    let data = Data::any(random);
    let table = format!(
        "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
        heads(&data),
        body(&data)
    );
    let html = match random.below(2) {
        0 => format!("<data-table><template shadowrootmode=open>{table}</template></data-table>"),
        _ => format!(
            "<data-table><template shadowrootmode=open><div class=frame><slot></slot></div></template>{table}</data-table>"
        ),
    };
    data.made("table", html)
}
