//! Generates pages of the kinds that saved articles lack: tables, forms, settings, dashboards and
//! lists of cards, each with varied markup. The same seed gives the same pages.

use axum::Router;
use axum::extract::Path;
use axum::response::Html;
use axum::routing::get;

use super::{drawings, parts, separators};
use crate::pages::{PageState, listen};
use crate::random::Random;

/// How many pages are generated, how many more have lists with buttons that are only icons, and how
/// many have names with commas, semicolons and "and".
const PAGES: u64 = 120;
const ICON_PAGES: u64 = 40;
const SEPARATOR_PAGES: u64 = 40;

/// The number of the first page after those with icons.
const NO_ICONS: u64 = PAGES + ICON_PAGES;

/// Serves the pages on 127.0.0.1 and lists them.
pub async fn page_states(seed: u64) -> anyhow::Result<Vec<PageState>> {
    let app = Router::new().route(
        "/{number}",
        get(move |Path(number): Path<u64>| async move { Html(page(seed, number)) }),
    );
    let site = listen(app).await?;
    let page_state = |number| PageState {
        name: match number {
            0..PAGES => format!("generated-{number:03}"),
            PAGES..NO_ICONS => format!("icons-{:03}", number - PAGES),
            _ => format!("separators-{:03}", number - NO_ICONS),
        },
        url: Some(format!("{site}/{number}")),
        step: None,
    };
    Ok((0..NO_ICONS + SEPARATOR_PAGES).map(page_state).collect())
}

/// Returns one page: some parts in random order between a menu and a footer.
fn page(seed: u64, number: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(1_000_003) ^ number);
    let title = parts::title(&mut random);
    let mut html = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>\
         <header><a href=/>{title}</a><nav>"
    );
    for (name, path) in parts::menu(&mut random) {
        html.push_str(&format!("<a href={path}>{name}</a> "));
    }
    html.push_str(&format!("</nav></header><main><h1>{title}</h1>"));
    if number >= NO_ICONS {
        html.push_str(&separators::parts(&mut random));
    } else if number >= PAGES {
        html.push_str(&drawings::toolbar(&mut random));
        html.push_str(&drawings::list(&mut random));
    }
    for _ in 0..2 + random.below(4) {
        html.push_str(&parts::any(&mut random));
    }
    html.push_str(
        "</main><footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy notice</a> \
         <small>All rights reserved</small></footer></html>",
    );
    html
}

const STYLE: &str = "body{font:15px sans-serif;margin:0 20px}nav a{margin:4px}\
    .cards{display:flex;flex-wrap:wrap}.card{border:1px solid #ccc;padding:8px;margin:6px;width:220px}\
    .line{display:flex;gap:12px;padding:4px}.line>*{min-width:90px}td,th{padding:3px 8px}\
    .off{display:none}.field{margin:6px 0}[role=row]{display:flex}[role=row]>*{width:140px}\
    .tool i{display:inline-block;width:16px;height:16px}[role=switch]{display:inline-block;min-width:30px;border:1px solid}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_the_same_for_the_same_seed_and_differ_otherwise() {
        assert_eq!(page(1, 5), page(1, 5));
        assert_ne!(page(1, 5), page(1, 6));
        assert_ne!(page(1, 5), page(2, 5));
    }
}
