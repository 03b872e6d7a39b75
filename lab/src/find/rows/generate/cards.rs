//! Repeated cards: elements of equal structure, also across shadow roots and in several parents.

use super::values::{Cell, Kind};
use super::{Data, Made, made};
use crate::random::Random;

/// A card: its HTML, and its cells.
struct Card {
    html: String,
    cells: Vec<String>,
}

/// Makes cards with a heading that is a link, lines of text, a picture and a button.
fn cards(random: &mut Random, data: &mut Data) -> (Vec<String>, Vec<Card>) {
    let (picture, button, rebate, price) =
        (random.percent(50), random.percent(60), random.percent(50), random.percent(80));
    let mut cards = Vec::new();
    for at in 0..data.rows.len() {
        let title = data.rows[at][0].clone();
        let (mut html, mut cells) = (String::new(), Vec::new());
        if picture {
            html.push_str(&format!("<img src=/p{at}.png alt=\"Picture {at}\" width=40 height=40>"));
            cells.push(format!("Picture {at}"));
        }
        html.push_str(&format!("<h3><a href=/goods/{at}>{}</a></h3>", title.html));
        cells.extend([title.text, format!("/goods/{at}")]);
        if price {
            let amount = some(data, Kind::Amount, random);
            html.push_str(&format!("<p class=price>{}</p>", amount.html));
            cells.push(amount.text);
        }
        if rebate {
            let there = at == 0 || random.percent(50);
            if there {
                html.push_str("<div class=badge>Sale</div>");
            }
            cells.push(if there { "Sale" } else { "" }.to_owned());
        }
        html.push_str(&format!("<p class=about>Words about <i>item {at}</i></p>"));
        cells.push(format!("Words about item {at}"));
        if button {
            html.push_str("<button>Add to cart</button>");
            cells.push("Add to cart".to_owned());
        }
        cards.push(Card { html, cells });
    }
    let mut columns: Vec<&str> = Vec::new();
    columns.extend(picture.then_some("image"));
    columns.extend(["heading", "heading target"]);
    let lines = 1 + usize::from(price) + usize::from(rebate);
    columns.extend(&["text", "text 2", "text 3"][..lines]);
    columns.extend(button.then_some("button"));
    (columns.into_iter().map(str::to_owned).collect(), cards)
}

/// Returns a cell that is not empty.
fn some(data: &mut Data, kind: Kind, random: &mut Random) -> Cell {
    loop {
        let cell = data.records.cell(kind, random);
        if !cell.is_empty() {
            return cell;
        }
    }
}

fn data(random: &mut Random) -> Data {
    let rows = 4 + random.below(20);
    Data::new(random, 1, rows)
}

/// Cards without labels.
pub fn unlabelled(random: &mut Random) -> Made {
    let mut data = data(random);
    let (columns, cards) = cards(random, &mut data);
    let tag = ["div", "article", "section"][random.below(3)];
    let mut html = String::from("<div class=grid>");
    let mut rows = Vec::new();
    for card in cards {
        html.push_str(&format!("<{tag} class=card>{}</{tag}>", card.html));
        if random.percent(8) {
            html.push_str(&format!("<{tag} class=card hidden>{}</{tag}>", card.html));
        }
        rows.push(card.cells);
    }
    html.push_str("</div>");
    // A box of articles may count as cards or as a list of them.
    let kind = if tag == "article" { "" } else { "cards" };
    made(data.lang(), kind, html, columns, rows)
}

/// Cards whose parts have labels: before a colon, as terms, or as labels of fields.
pub fn labelled(random: &mut Random) -> Made {
    let mut data = data(random);
    let way = random.below(3);
    let kinds = [Kind::Amount, Kind::State, Kind::Due];
    let labels = ["Price", "State", "Due date"];
    let field = random.percent(40);
    let mut html = String::from("<div class=grid>");
    let mut rows = Vec::new();
    for at in 0..data.rows.len() {
        let title = data.rows[at][0].clone();
        let mut card = format!("<h2>{}</h2>", title.html);
        let mut cells = vec![title.text];
        for (n, (kind, label)) in kinds.into_iter().zip(labels).enumerate() {
            let cell = some(&mut data, kind, random);
            card.push_str(&match way {
                0 => format!("<p>{label}: {}</p>", cell.html),
                1 if n == 0 => format!("<dl><dt>{label}</dt><dd>{}</dd>", cell.html),
                1 => format!("<dt>{label}</dt><dd>{}</dd>", cell.html),
                _ => format!(
                    "<div class=line><span class=l{n}>{label}:</span> <b class=v{n}>{}</b></div>",
                    cell.html
                ),
            });
            cells.push(cell.text);
        }
        if way == 1 {
            card.push_str("</dl>");
        }
        if field {
            card.push_str(&format!("<label>Quantity <input type=number value={at}></label>"));
            cells.push(at.to_string());
        }
        html.push_str(&format!("<div class=card>{card}</div>"));
        rows.push(cells);
    }
    html.push_str("</div>");
    let mut columns: Vec<String> = vec!["heading".to_owned()];
    columns.extend(labels.map(str::to_owned));
    columns.extend(field.then(|| "Quantity".to_owned()));
    made(data.lang(), "cards", html, columns, rows)
}

/// Cards that each have a shadow root, or that stand in several rows.
pub fn scattered(random: &mut Random) -> Made {
    let mut data = data(random);
    let (columns, cards) = cards(random, &mut data);
    let way = random.below(3);
    let mut html = String::from("<div class=grid>");
    let rows: Vec<Vec<String>> = cards.iter().map(|card| card.cells.clone()).collect();
    match way {
        0 => {
            for card in &cards {
                html.push_str(&format!(
                    "<shop-card class=card style=\"display:block\"><template shadowrootmode=open>{}</template></shop-card>",
                    card.html
                ));
            }
        }
        1 => {
            // The whole grid is in a shadow root.
            let inside: String =
                cards.iter().map(|card| format!("<div class=card>{}</div>", card.html)).collect();
            html.push_str(&format!(
                "<shop-grid><template shadowrootmode=open><div>{inside}</div></template></shop-grid>"
            ));
        }
        _ => {
            html = String::from("<div class=shelves>");
            for shelf in cards.chunks(3) {
                let inside: String = shelf
                    .iter()
                    .map(|card| format!("<div class=card>{}</div>", card.html))
                    .collect();
                html.push_str(&format!("<div class=grid>{inside}</div>"));
            }
        }
    }
    html.push_str("</div>");
    made(data.lang(), "cards", html, columns, rows)
}
