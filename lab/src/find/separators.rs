//! Parts of generated pages whose names contain a comma, a semicolon or "and".

use super::parts::{FIRST, LAST, some};
use crate::random::Random;

const LABELS: [&str; 10] = [
    "Terms and conditions",
    "City, state",
    "Height and width",
    "Name, as on the card",
    "Phone and fax",
    "Building; floor",
    "Black and white",
    "Bed and breakfast",
    "Street, number and door",
    "Search and replace",
];
const BUTTONS: [&str; 6] = [
    "Save and close",
    "Check, then send",
    "Copy and paste",
    "Undo; start over",
    "Sign, seal and deliver",
    "Stop and go",
];
const LINKS: [&str; 8] = [
    "Salt, pepper and sugar",
    "Privacy and cookies",
    "Research and development",
    "Lights, camera, action",
    "Sons and daughters",
    "Health; safety",
    "Trial and error",
    "Cats, dogs and horses",
];

/// Returns a table of people, a form and a list of links.
pub fn parts(random: &mut Random) -> String {
    let mut html = String::from(
        "<h2>People</h2><table><thead><tr><th>Person<th>Visits<th></tr></thead><tbody>",
    );
    for (last, first) in some(&LAST, 6, random).into_iter().zip(some(&FIRST, 6, random)) {
        let visits = random.below(900);
        html.push_str(&format!(
            "<tr><td>{last}, {first}<td>{visits} visits<td><button>Invite</button></tr>"
        ));
    }
    html.push_str("</tbody></table><h2>Details</h2><form>");
    for label in some(&LABELS, 5, random) {
        html.push_str(&match random.percent(50) {
            true => format!("<p><label>{label} <input value={}></label></p>", random.below(90)),
            false => format!("<p><label><input type=checkbox> {label}</label></p>"),
        });
    }
    for name in some(&BUTTONS, 3, random) {
        html.push_str(&format!("<button type=button disabled>{name}</button>"));
    }
    html.push_str("</form><h2>Topics</h2><ul>");
    for name in some(&LINKS, 4, random) {
        let path = name.replace([' ', ',', ';'], "-");
        html.push_str(&format!("<li><a href=/{path}>{name}</a>"));
    }
    html + "</ul>"
}
