//! The parts of generated pages: each is made with one of several kinds of markup that real pages
//! use for the same thing.

use crate::random::Random;

pub const FIRST: [&str; 24] = [
    "Anna", "Bert", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Keiko",
    "Liam", "Mara", "Nils", "Olga", "Pedro", "Quentin", "Rosa", "Sven", "Tarek", "Uma", "Viktor",
    "Wanda", "Yusuf",
];
pub const LAST: [&str; 20] = [
    "Almeida", "Brandt", "Castillo", "Dubois", "Eriksen", "Fischer", "Garcia", "Hansen", "Ivanov",
    "Jensen", "Kowalski", "Larsen", "Moreau", "Novak", "Okafor", "Petrov", "Rossi", "Schmidt",
    "Tanaka", "Weber",
];
const GOODS: &str = "\
    Lamp, Kettle, Backpack, Headphones, Keyboard, Notebook, Chair, Monitor, Charger, Bottle, \
    Blanket, Camera, Speaker, Router, Tripod, Mug, Desk, Cushion, Watch, Radio";
const MAKES: [&str; 18] = [
    "Aurora", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Harbor", "Iris",
    "Juniper", "Krypton", "Lunar", "Meadow", "Nimbus", "Onyx", "Prairie", "Quartz", "Raven",
];
const CITIES: [&str; 14] = [
    "Lisbon", "Oslo", "Prague", "Vienna", "Turin", "Malmö", "Gdansk", "Porto", "Zürich", "Ghent",
    "Riga", "Split", "Bergen", "Nantes",
];
const STATUSES: [&str; 8] =
    ["open", "paid", "failed", "refunded", "pending", "shipped", "cancelled", "on hold"];
const ROOMS: [&str; 10] = [
    "Kitchen", "Bedroom", "Garage", "Hallway", "Balcony", "Cellar", "Office", "Attic", "Bathroom",
    "Garden",
];
const DEVICES: &str = "\
    Door lock, Ceiling light, Thermostat, Motion sensor, Air purifier, Blinds, Smoke alarm, \
    Camera feed, Water valve, Heating";
const ACTIONS: &str =
    "Edit, Delete, Details, Retry, Archive, Download, Share, Open, Approve, Duplicate";
/// Labels of fields with an example of what they hold.
/// Fields, each with its value.
const FIELDS: &str = "\
    First name=Anna, Last name=Weber, Email address=anna@example.org, Phone number=030 1234, \
    Street=Hill Road 5, Postal code=10115, City=Lisbon, Company=Fjord Ltd, Job title=Engineer, \
    VAT number=, Delivery notes=, Discount code=, Project name=Raven, Repository \
    URL=https://example.org/raven, Default branch=main, Time zone offset=2, Session \
    timeout=30, Maximum upload size=25, Cardholder name=, IBAN=, Date format=iso, Webhook \
    address=, API token label=deploy, Backup folder=/var/backup, Sender name=Support, Reply-to \
    address=, Subject prefix=[info], Footer text=Kind regards, Start page=/home, Tax rate=19, \
    Currency=EUR, Invoice prefix=INV, Emergency contact=, Nickname=ann";
const CHOICES: [(&str, &[&str]); 10] = [
    ("Language", &["English", "German", "French", "Spanish"]),
    ("Theme", &["Light", "Dark", "System"]),
    ("Shipping method", &["Standard", "Express", "Pickup"]),
    ("Payment method", &["Card", "Invoice", "Cash"]),
    ("Country", &["Portugal", "Norway", "Austria", "Italy"]),
    ("Visibility", &["Public", "Internal", "Private"]),
    ("Priority", &["Low", "Normal", "High"]),
    ("Log level", &["Debug", "Info", "Warning"]),
    ("Font size", &["Small", "Medium", "Large"]),
    ("First day of week", &["Monday", "Sunday"]),
];
const SWITCHES: &str = "\
    Two-factor login, Weekly report, Desktop notifications, Beta features, Public profile, \
    Automatic updates, Location sharing, Read receipts, Compact layout, Usage statistics, \
    Night mode, Spell checker, Offline access, Auto save, Keep me signed in, Marketing \
    messages";
const SLIDERS: &str = "\
    Volume, Brightness, Small Range, Fan speed, Zoom level, Contrast, Saturation, Target \
    temperature";
const TOPICS: &str = "\
    Getting started, Installation, Release notes, External links, Billing, Security, Further \
    reading, Contact, Troubleshooting, Community, Examples, Reports, Integrations, Careers, \
    Press, Licences";
const PAPERS: &str = "\
    Quick tour, User manual, Hermitian matrices, Migration guide, Known problems, Price list, \
    Status board, Style guide, Data sheet, Mailing list, Glossary, Road map, Video course, \
    Sample project, Support hours, Bug tracker, Annual review, Partner programme, Code of \
    conduct, Open positions";

/// Returns the parts of a list that is written as text.
fn list(text: &'static str) -> Vec<&'static str> {
    text.split(", ").collect()
}

fn pick<'a>(from: &[&'a str], random: &mut Random) -> &'a str {
    from[random.below(from.len())]
}

/// Picks several different items.
pub fn some<T: Copy>(from: &[T], count: usize, random: &mut Random) -> Vec<T> {
    let mut left = from.to_vec();
    (0..count.min(from.len())).map(|_| left.swap_remove(random.below(left.len()))).collect()
}

/// Returns the title of a page.
pub fn title(random: &mut Random) -> String {
    let kinds = ["console", "shop", "workspace", "portal", "control room"];
    format!("{} {}", pick(&MAKES, random), pick(&kinds, random))
}

/// Returns the entries of the menu.
pub fn menu(random: &mut Random) -> Vec<(&'static str, String)> {
    let entries = some(
        &["Home", "Orders", "Customers", "Inventory", "Help", "Account", "Statistics", "Blog"],
        5,
        random,
    );
    entries.into_iter().map(|name| (name, format!("/{}", name.to_lowercase()))).collect()
}

/// Returns one part of a random kind, under a heading.
pub fn any(random: &mut Random) -> String {
    match random.below(9) {
        0 | 1 => table(random),
        2 => aria_grid(random),
        3 | 4 => form(random),
        5 => settings(random),
        6 => cards(random),
        7 => entities(random),
        _ => links(random),
    }
}

/// Columns of tables: head and what a cell holds.
fn cell(column: usize, random: &mut Random) -> String {
    match column {
        0 => pick(&STATUSES, random).to_owned(),
        1 => format!("{}.{:02}", 10 + random.below(4_000), random.below(100)),
        2 => pick(&CITIES, random).to_owned(),
        3 => format!("2026-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28)),
        4 => format!("{} pieces", 1 + random.below(90)),
        _ => format!("{} {}", pick(&FIRST, random), pick(&LAST, random)),
    }
}

const HEADS: [&str; 6] = ["Status", "Amount", "City", "Due date", "Stock", "Owner"];

/// Returns keys of rows that all differ.
pub fn keys(count: usize, random: &mut Random) -> Vec<String> {
    let kind = random.below(3);
    let first = 1_000 + random.below(8_000);
    let goods = list(GOODS);
    let makes = some(&MAKES, MAKES.len(), random);
    let firsts = some(&FIRST, FIRST.len(), random);
    (0..count)
        .map(|at| match kind {
            0 => format!("{}", first + at),
            1 => format!(
                "{} {}",
                makes[at % makes.len()],
                goods[(at / makes.len() + first) % goods.len()]
            ),
            _ => format!(
                "{} {}",
                firsts[at % firsts.len()],
                LAST[(at / firsts.len() + at) % LAST.len()]
            ),
        })
        .collect()
}

fn key_head(random: &mut Random) -> &'static str {
    pick(&["Name", "Order", "Item", "Entry", "Record"], random)
}

/// A real table: with or without `thead`, with a caption or a heading, with row heads or links.
fn table(random: &mut Random) -> String {
    let columns = some(&[0, 1, 2, 3, 4, 5], 2 + random.below(3), random);
    let count = 4 + random.below(25);
    let name = pick(&["Orders", "Invoices", "Members", "Shipments", "Stock list"], random);
    let (row_heads, linked, captioned) =
        (random.percent(30), random.percent(30), random.percent(30));
    let actions = some(&list(ACTIONS), 1 + random.below(2), random);
    let boxes = random.percent(30);
    let mut html = if captioned {
        format!("<table><caption>{name}</caption>")
    } else {
        format!("<h2>{name}</h2><table>")
    };
    let mut head =
        if boxes { String::from("<th><span class=off>Select</span></th>") } else { String::new() };
    head.push_str(&format!("<th>{}</th>", key_head(random)));
    columns.iter().for_each(|column| head.push_str(&format!("<th>{}</th>", HEADS[*column])));
    head.push_str("<th></th>");
    html.push_str(&if random.percent(70) {
        format!("<thead><tr>{head}</tr></thead><tbody>")
    } else {
        format!("<tbody><tr>{head}</tr>")
    });
    for key in keys(count, random) {
        html.push_str("<tr>");
        if boxes {
            html.push_str(&format!("<td><input type=checkbox aria-label=\"Select {key}\"></td>"));
        }
        let said = if linked { format!("<a href=\"/item/{key}\">{key}</a>") } else { key.clone() };
        html.push_str(&if row_heads {
            format!("<th scope=row>{said}</th>")
        } else {
            format!("<td>{said}</td>")
        });
        for column in &columns {
            html.push_str(&format!("<td>{}</td>", cell(*column, random)));
        }
        html.push_str("<td>");
        for action in &actions {
            let off = if random.percent(4) { " disabled" } else { "" };
            html.push_str(&format!("<button type=button{off}>{action}</button>"));
        }
        html.push_str("</td></tr>");
    }
    html + "</tbody></table>"
}

/// A grid of `div`s with roles, as component libraries make it.
fn aria_grid(random: &mut Random) -> String {
    let columns = some(&[0, 1, 2, 3, 4, 5], 2 + random.below(2), random);
    let role = pick(&["grid", "table"], random);
    let cell_role = if role == "grid" { "gridcell" } else { "cell" };
    let name = pick(&["Deliveries", "Tickets", "Subscriptions", "Bookings"], random);
    let action = pick(&list(ACTIONS), random);
    let mut html = format!(
        "<h2>{name}</h2><div role={role} aria-label={name}><div role=rowgroup><div role=row><div role=columnheader>{}</div>",
        key_head(random)
    );
    columns.iter().for_each(|column| {
        html.push_str(&format!("<div role=columnheader><span>{}</span></div>", HEADS[*column]));
    });
    html.push_str("<div role=columnheader></div></div></div><div role=rowgroup>");
    for key in keys(4 + random.below(12), random) {
        html.push_str(&format!("<div role=row><div role={cell_role}><span>{key}</span></div>"));
        for column in &columns {
            let text = cell(*column, random);
            html.push_str(&format!("<div role={cell_role}><div><span>{text}</span></div></div>"));
        }
        html.push_str(&format!("<div role={cell_role}><button>{action}</button></div></div>"));
    }
    html + "</div></div>"
}

/// A form whose fields are labelled in all the ways that pages use.
fn form(random: &mut Random) -> String {
    let name =
        pick(&["Profile", "Checkout", "Registration", "Mail settings", "New project"], random);
    let mut html = format!("<h2>{name}</h2><form>");
    let style = random.below(6);
    for (at, field) in some(&list(FIELDS), 4 + random.below(8), random).into_iter().enumerate() {
        let (label, value) = field.split_once('=').unwrap_or((field, ""));
        let mark = match random.below(8) {
            0 => " required",
            1 => " readonly",
            2 => " disabled",
            _ => "",
        };
        let id = format!("f{}", random.next() % 1_000_000_000);
        let input = format!("<input id={id} value=\"{value}\"{mark}");
        // Most forms use one way of labelling; some mix them.
        html.push_str(&match if style == 5 { at % 5 } else { style } {
            0 => format!("<p class=field><label for={id}>{label}</label> {input}></p>"),
            1 => format!("<div class=field><label>{label} {input}></label></div>"),
            2 => format!("<div class=field><span id=l{id}>{label}</span><div>{input} aria-labelledby=l{id}></div></div>"),
            3 => format!("<div class=field>{input} aria-label=\"{label}\"></div>"),
            _ => format!("<div class=field><div>{label}</div><div>{input}></div></div>"),
        });
    }
    for (label, options) in some(&CHOICES, 1 + random.below(3), random) {
        let id = format!("s{}", random.next() % 1_000_000_000);
        let chosen = random.below(options.len());
        html.push_str(&format!("<p class=field><label for={id}>{label}</label><select id={id}>"));
        for (at, option) in options.iter().enumerate() {
            let selected = if at == chosen { " selected" } else { "" };
            html.push_str(&format!("<option{selected}>{option}</option>"));
        }
        html.push_str("</select></p>");
    }
    let off = if random.percent(30) { " disabled" } else { "" };
    html + &format!(
        "<button{off}>Save {}</button> <button type=reset>Discard changes</button></form>",
        name.to_lowercase()
    )
}

/// A settings page: switches, check boxes, sliders, and facts in a `dl`.
fn settings(random: &mut Random) -> String {
    let name = pick(&["Preferences", "Privacy options", "Appearance", "System"], random);
    let mut html = format!("<section><h2>{name}</h2>");
    let style = random.below(4);
    for label in some(&list(SWITCHES), 3 + random.below(5), random) {
        let on = random.percent(50);
        let checked = if on { " checked" } else { "" };
        let id = format!("c{}", random.next() % 1_000_000_000);
        html.push_str(&match style {
            0 => format!("<div class=line><input type=checkbox id={id}{checked}><label for={id}>{label}</label></div>"),
            1 => format!("<label class=line><input type=checkbox{checked}> {label}</label>"),
            2 => format!("<div class=line><span id={id}>{label}</span><span role=switch tabindex=0 aria-checked={on} aria-labelledby={id}>&nbsp;</span></div>"),
            _ => format!("<div class=line><span>{label}</span><input type=checkbox{checked}></div>"),
        });
    }
    for label in some(&list(SLIDERS), 1 + random.below(2), random) {
        let value = random.below(100);
        html.push_str(&match random.below(2) {
            0 => format!(
                "<div class=line><span>{label}</span><input type=range value={value}></div>"
            ),
            _ => format!(
                "<div class=line><label>{label} <input type=range value={value}></label></div>"
            ),
        });
    }
    html.push_str("<dl>");
    for (label, value) in [
        ("Version", format!("{}.{}.{}", random.below(9), random.below(20), random.below(30))),
        ("Serial number", format!("SN{}", 10_000 + random.below(80_000))),
        ("Last backup", cell(3, random)),
        ("Server location", pick(&CITIES, random).to_owned()),
    ] {
        html.push_str(&format!("<dt>{label}</dt><dd>{value}</dd>"));
    }
    html + "</dl></section>"
}

/// Cards or list items of goods, each with a price and a button.
fn cards(random: &mut Random) -> String {
    let name = pick(&["Offers", "New arrivals", "Bestsellers", "Recommended"], random);
    let style = random.below(3);
    let action = pick(&["Add to cart", "Buy now", "Save for later", "Compare"], random);
    let (open, close) = match style {
        0 => ("<ul class=cards>", "</ul>"),
        _ => ("<div class=cards>", "</div>"),
    };
    let mut html = format!("<h2>{name}</h2>{open}");
    for (make, good) in
        some(&MAKES, 4 + random.below(10), random).into_iter().zip(some(&list(GOODS), 14, random))
    {
        let price = format!("{}.{:02} €", 5 + random.below(300), random.below(100));
        let off = if random.percent(15) { " disabled" } else { "" };
        let body = format!(
            "<p>{price}</p><p>{} in stock</p><button{off}>{action}</button>",
            random.below(40)
        );
        html.push_str(&match style {
            0 => format!("<li class=card><strong>{make} {good}</strong>{body}</li>"),
            1 => format!("<article class=card><h3>{make} {good}</h3>{body}</article>"),
            _ => format!(
                "<div class=card><a href=\"/goods/{make}-{good}\">{make} {good}</a>{body}</div>"
            ),
        });
    }
    html + close
}

/// Lines of a dashboard: the name of a device, its state, and what it can do.
fn entities(random: &mut Random) -> String {
    let name = pick(&["Devices", "Rooms", "Overview", "Sensors"], random);
    let mut html = format!("<section><h2>{name}</h2>");
    let states = ["on", "off", "unavailable", "21.5 °C", "locked", "closed"];
    for room in some(&ROOMS, 4 + random.below(6), random) {
        let device = pick(&list(DEVICES), random);
        let state = pick(&states, random);
        let control = match random.below(3) {
            0 => "<button>Toggle</button>".to_owned(),
            1 => "<button>Turn on</button><button>Turn off</button>".to_owned(),
            _ => format!("<button aria-pressed={}>Activate</button>", random.percent(50)),
        };
        html.push_str(&format!(
            "<div class=line><div>{room} {device}</div><div>{state}</div><div>{control}</div></div>"
        ));
    }
    html + "</section>"
}

fn links(random: &mut Random) -> String {
    let mut html = String::new();
    for topic in some(&list(TOPICS), 2 + random.below(3), random) {
        html.push_str(&format!("<h3>{topic}</h3>"));
        let lead = random.percent(40);
        if lead {
            html.push_str(&format!("<p>What to know about {}.</p>", topic.to_lowercase()));
        }
        html.push_str("<ul>");
        for paper in some(&list(PAPERS), 2 + random.below(6), random) {
            let path = paper.to_lowercase().replace(' ', "-");
            html.push_str(&format!("<li><a href=\"/docs/{path}\">{paper}</a></li>"));
        }
        html.push_str("</ul>");
    }
    html
}
