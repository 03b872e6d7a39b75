//! Lists and definition lists.

use super::values::{Cell, Kind, odd};
use super::{Data, Made, any_lang, made};
use crate::random::Random;

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// A definition list: terms with one or several definitions, and several terms with one.
pub fn definitions(random: &mut Random) -> Made {
    let wrapped = random.percent(40);
    let mut html = String::from("<dl>");
    let mut rows = Vec::new();
    let any = |random: &mut Random| {
        // What people read; a definition without a text is not in question here.
        if random.percent(40) {
            odd(random)
        } else {
            Cell::plain(format!("words {}", random.below(99)))
        }
    };
    for number in 0..6 + random.below(14) {
        let mut part = String::new();
        let mut terms = vec![format!("Term {number}")];
        if random.percent(15) {
            terms.push(format!("Also {number}"));
        }
        let definitions: Vec<Cell> =
            (0..if random.percent(20) { 2 } else { 1 }).map(|_| any(random)).collect();
        for term in &terms {
            part.push_str(&format!("<dt>{term}</dt>"));
        }
        for definition in &definitions {
            part.push_str(&format!("<dd>{}</dd>", definition.html));
        }
        html.push_str(&if wrapped { format!("<div>{part}</div>") } else { part });
        let said: Vec<&str> = definitions.iter().map(|cell| cell.text.as_str()).collect();
        rows.extend(terms.into_iter().map(|term| vec![term, said.join("; ")]));
    }
    html.push_str("</dl>");
    made(any_lang(random), "definition list", html, texts(&["term", "definition"]), rows)
}

/// A list of texts or links.
pub fn simple(random: &mut Random) -> Made {
    let link = random.percent(50);
    let size = 8 + random.below(20);
    let data = Data::new(random, 1, size);
    let mut rows = Vec::new();
    let mut items = String::new();
    let (tag, item) =
        [("ul", "li"), ("ol", "li"), ("div role=list", "div role=listitem")][random.below(3)];
    let end = |tag: &str| tag.split(' ').next().unwrap_or_default().to_owned();
    for (at, row) in data.rows.iter().enumerate() {
        if random.percent(10) {
            items.push_str(&format!("<{item} hidden>secret</{}>", end(item)));
        }
        let text = row[0].html.clone();
        let inside = if link { format!("<a href=/item/{at}>{text}</a>") } else { text };
        items.push_str(&format!("<{item}>{inside}</{}>\n", end(item)));
        let mut cells = vec![row[0].text.clone()];
        cells.extend(link.then(|| format!("/item/{at}")));
        rows.push(cells);
    }
    let html = format!("<{tag}>{items}</{}>", end(tag));
    let columns = if link { texts(&["link", "link target"]) } else { texts(&["text"]) };
    made(data.lang(), "list", html, columns, rows)
}

/// A list whose items have several parts: a link, lines of text, and a button.
pub fn parts(random: &mut Random) -> Made {
    let size = 6 + random.below(20);
    let mut data = Data::new(random, 1, size);
    let (button, heading, note) = (random.percent(60), random.percent(40), random.percent(50));
    let mut rows = Vec::new();
    let mut html = String::from("<ul class=results>");
    for at in 0..data.rows.len() {
        let title = data.rows[at][0].clone();
        data.records.begin();
        let [state, count] = [Kind::State, Kind::Count].map(|kind| {
            let cell = data.records.cell(kind, random);
            if cell.is_empty() { Cell::plain("none") } else { cell }
        });
        let mut item = match heading {
            true => format!("<h3>{}</h3>", title.html),
            false => format!("<a href=/item/{at}>{}</a>", title.html),
        };
        let mut cells = vec![title.text];
        if !heading {
            cells.push(format!("/item/{at}"));
        }
        item.push_str(&format!(
            "<div class=meta>by <b>{}</b>, {} times</div>",
            state.html, count.html
        ));
        cells.push(format!("by {}, {} times", state.text, count.text));
        if note {
            // Not every item has one.
            let there = at == 0 || random.percent(60);
            if there {
                item.push_str(&format!("<p class=note>Note {at}</p>"));
            }
            cells.push(if there { format!("Note {at}") } else { String::new() });
        }
        if button {
            item.push_str("<button>Archive</button>");
            cells.push("Archive".to_owned());
        }
        html.push_str(&format!("<li>{item}</li>"));
        rows.push(cells);
    }
    html.push_str("</ul>");
    let mut columns = match heading {
        true => texts(&["heading"]),
        false => texts(&["link", "link target"]),
    };
    columns.push("text".to_owned());
    columns.extend(note.then(|| "text 2".to_owned()));
    columns.extend(button.then(|| "button".to_owned()));
    made(data.lang(), "list", html, columns, rows)
}
