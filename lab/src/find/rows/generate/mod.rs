//! Generates pages with one table, list or card grid each, and the rows that are in it. The gold
//! comes from the data that a page is made of; it shares nothing with the page script.

mod cards;
mod grids;
mod lists;
mod tables;
mod values;

use axum::Router;
use axum::extract::Path;
use axum::response::Html;
use axum::routing::get;

pub use values::Meaning;

use super::gold::Gold;
use crate::pages::listen;
use crate::random::Random;
use values::{COUNTRIES, Cell, Kind, Records};

/// How many pages there are of each kind.
pub const PER_KIND: u64 = 20;

/// Makes a page.
type Maker = fn(&mut Random) -> Made;

/// The kinds of pages, and what makes one.
const KINDS: [(&str, Maker); 20] = [
    ("table", tables::plain),
    ("table, heads without thead", tables::first_row),
    ("table, several header rows", tables::header_rows),
    ("table, cells that span", tables::spans),
    ("table, row headers", tables::row_headers),
    ("table, footer", tables::footer),
    ("table, hidden rows and columns", tables::hidden),
    ("table, controls", tables::controls),
    ("table, icons", tables::icons),
    ("table, head apart", tables::head_apart),
    ("table in a shadow root", tables::in_shadow),
    ("grid", grids::grid),
    ("grid, pinned columns", grids::pinned),
    ("treegrid", grids::treegrid),
    ("definition list", lists::definitions),
    ("list", lists::simple),
    ("list, parts", lists::parts),
    ("cards", cards::unlabelled),
    ("cards, labels", cards::labelled),
    ("cards, several parents or shadow roots", cards::scattered),
];

/// How many pages there are.
pub const PAGES: u64 = KINDS.len() as u64 * PER_KIND;

/// The parts of a page.
pub struct Made {
    pub lang: &'static str,
    /// The structure.
    html: String,
    pub gold: Gold,
    /// The meaning of the cells of each column, for each row; empty if questions are not asked.
    pub meanings: Vec<Vec<Meaning>>,
}

/// A generated page.
pub struct GeneratedPage {
    pub kind: &'static str,
    pub html: String,
    pub made: Made,
}

/// Returns one page.
pub fn page(seed: u64, number: u64) -> GeneratedPage {
    let (kind, make) = KINDS[(number / PER_KIND) as usize % KINDS.len()];
    let mut random = Random::new(seed.wrapping_mul(1_000_003) ^ number.wrapping_mul(7_919));
    let made = make(&mut random);
    let mut html = format!(
        "<!doctype html><html lang={}><meta charset=utf-8><title>Page {number}</title>\
         <style>{STYLE}</style><header><a href=/>Start</a><nav><ul>",
        made.lang
    );
    for entry in 0..2 + random.below(6) {
        html.push_str(&format!("<li><a href=/menu/{entry}>Menu {entry}</a></li>"));
    }
    html.push_str(&format!("</ul></nav></header><main><h1>Page {number}</h1>"));
    if random.percent(50) {
        html.push_str("<p>Some words about what follows, with a <a href=/help>link</a>.</p>");
    }
    if random.percent(30) {
        html.push_str(
            "<form><label>Search <input name=q></label> <button>Find</button>\
             <label><input type=checkbox> Only open ones</label></form>",
        );
    }
    html.push_str(&made.html);
    if random.percent(40) {
        html.push_str("<nav aria-label=Pages><a href=?page=2>2</a> <a href=?page=3>3</a></nav>");
    }
    html.push_str("</main>");
    if random.percent(40) {
        html.push_str("<aside><h2>Related</h2><ul>");
        for entry in 0..2 + random.below(9) {
            html.push_str(&format!("<li><a href=/related/{entry}>Related {entry}</a></li>"));
        }
        html.push_str("</ul></aside>");
    }
    html.push_str("<footer><a href=/imprint>Imprint</a> <small>Rights</small></footer></html>");
    GeneratedPage { kind, html, made }
}

/// Serves the pages at `/NUMBER`, and returns the address.
pub async fn serve(seed: u64) -> anyhow::Result<String> {
    let answer = move |Path(number): Path<u64>| async move { Html(page(seed, number).html) };
    listen(Router::new().route("/{number}", get(answer))).await
}

const STYLE: &str = "body{font:15px sans-serif;margin:0 20px}td,th{padding:3px 8px}\
    .off{display:none}.away{visibility:hidden}[role=row]{display:flex}\
    [role=row]>*{width:150px;flex:none}.grid{display:flex;flex-wrap:wrap;gap:8px}\
    .card{border:1px solid #ccc;padding:8px;width:230px}.line{display:flex;gap:8px}\
    i[class]{display:inline-block;width:16px;height:16px;background:#888}\
    [role=switch]{display:inline-block;min-width:30px;border:1px solid}";

/// Records with their columns.
struct Data {
    records: Records,
    heads: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Data {
    /// Makes records with a name and some more columns.
    fn new(random: &mut Random, columns: usize, rows: usize) -> Data {
        let mut records = Records::new(random);
        let mut kinds = random.sample(values::KINDS[1..].to_vec(), columns.saturating_sub(1));
        kinds.insert(0, Kind::Name);
        let heads = kinds.iter().map(|kind| kind.head(random).to_owned()).collect();
        let mut record = |_| {
            records.begin();
            kinds.iter().map(|kind| records.cell(*kind, random)).collect()
        };
        let rows = (0..rows).map(&mut record).collect();
        Data { records, heads, rows }
    }

    /// Makes records of a common size.
    fn any(random: &mut Random) -> Data {
        let (columns, rows) = (3 + random.below(5), 6 + random.below(25));
        Data::new(random, columns, rows)
    }

    fn lang(&self) -> &'static str {
        self.records.country.lang
    }

    fn texts(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect()
    }

    fn meanings(&self) -> Vec<Vec<Meaning>> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.meaning.clone()).collect()).collect()
    }

    /// Returns a page with these records as they are.
    fn made(self, kind: &str, html: String) -> Made {
        Made {
            lang: self.lang(),
            html,
            meanings: self.meanings(),
            gold: Gold {
                kind: kind.to_owned(),
                rows: self.texts(),
                columns: self.heads,
                footer: Vec::new(),
            },
        }
    }
}

/// A page without questions.
fn made(
    lang: &'static str,
    kind: &str,
    html: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
) -> Made {
    let gold = Gold { kind: kind.to_owned(), columns, rows, footer: Vec::new() };
    Made { lang, html, gold, meanings: Vec::new() }
}

/// Returns any language.
fn any_lang(random: &mut Random) -> &'static str {
    COUNTRIES[random.below(COUNTRIES.len())].lang
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_the_same_for_the_same_seed_and_every_row_has_every_column() {
        for number in 0..PAGES {
            let one = page(1, number);
            assert_eq!(one.html, page(1, number).html);
            let gold = one.made.gold;
            assert!(!gold.rows.is_empty(), "{}", one.kind);
            for row in gold.rows.iter().chain(&gold.footer) {
                assert_eq!(row.len(), gold.columns.len(), "{} {number}", one.kind);
            }
        }
        assert_ne!(page(1, 3).html, page(2, 3).html);
    }
}
