//! Generates pages of a given size, with the kinds of elements that real pages have. A fifth of the
//! elements is hidden. The same size always gives the same page.

use axum::Router;
use axum::extract::Path;
use axum::response::Html;
use axum::routing::get;

use crate::pages::listen;

/// How many elements the pages have that every call is measured on.
pub const SIZES: [usize; 4] = [50, 500, 5_000, 20_000];

/// Serves `/N`, a page of about N elements, and `/static/N`, the same without a script, on
/// 127.0.0.1; returns the address.
pub async fn serve() -> anyhow::Result<String> {
    let app = Router::new()
        .route("/static/{count}", get(|Path(count): Path<usize>| async move { Html(still(count)) }))
        .route("/{count}", get(|Path(count): Path<usize>| async move { Html(page(count)) }));
    listen(app).await
}

/// Pages with more elements than this have no forms.
const LARGE: usize = 100_000;

/// The script and the handler of the page.
const SCRIPT: &str = "<script>window.n=0</script>";
const HANDLER: &str =
    " onclick=\"document.getElementById('out').textContent='clicked '+(++window.n)\"";

/// Returns the same page without a script.
fn still(count: usize) -> String {
    page(count).replacen(SCRIPT, "", 1).replacen(HANDLER, "", 1)
}

/// Returns a page of about this many elements.
fn page(count: usize) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><title>Generated</title><style>.hidden{display:none}section{padding:4px}</style>\
         <header><nav aria-label=Main><a href=#1>Home</a> <a href=#2>Orders</a> <a href=#3>Help</a></nav></header><main><h1>Generated</h1>\
         <button id=target onclick=\"document.getElementById('out').textContent='clicked '+(++window.n)\">Count</button><p id=out role=status></p><script>window.n=0</script>",
    );
    let mut made = 14;
    let mut section = 0;
    while made < count {
        section += 1;
        html.push_str(&format!("<section><h2>Section {section}</h2><p>Some <b>words</b> about it, with a <a href=#s{section}>link {section}</a> inside.</p>"));
        made += 5;
        html.push_str("<table><tbody>");
        made += 2;
        for row in 0..4 {
            if made >= count {
                break;
            }
            html.push_str(&format!(
                "<tr><td>Item {section}.{row}</td><td><span class=price>{}.99</span></td><td><button type=button>Add</button></td></tr>",
                section * 7 % 90 + row
            ));
            made += 6;
        }
        html.push_str("</tbody></table>");
        if made < count {
            // With thousands of forms Chromium itself takes minutes to load a page.
            if count <= LARGE {
                html.push_str(&format!(
                    "<form><label>Name {section} <input name=n{section}></label><label><input type=checkbox> Agree {section}</label></form>"
                ));
                made += 5;
            }
            html.push_str(
                "<div class=hidden><div><p>Not <i>now</i></p><button>Later</button><a href=#h>Hidden</a><span>x</span></div></div></section>",
            );
            made += 7;
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_still_page_has_no_script() {
        let (still, page) = (still(500), page(500));
        assert!(page.contains("<script") && page.contains("onclick"));
        assert!(!still.contains("<script") && !still.contains("onclick"));
    }
}
