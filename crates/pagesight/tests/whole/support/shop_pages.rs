// Generates the pages of a shop from their number, and breaks them in known ways. Pure, so that the
// whole-path test of `pagesight check` and `cargo lab scale` use the same pages.

/// The ways in which a page can be broken: a name, and the type of change that a check must report.
pub const FAULTS: [(&str, &str); 10] = [
    ("button removed", "element_missing"),
    ("button disabled", "element_disabled"),
    ("button hidden", "element_hidden"),
    ("button covered", "element_covered"),
    ("field removed", "field_missing"),
    ("heading removed", "heading_missing"),
    ("list emptied", "list_empty"),
    ("table emptied", "table_empty"),
    ("error shown", "error_appeared"),
    ("navigation removed", "landmark_missing"),
];

/// Returns the page with this number, with this fault if one is given.
pub fn page(number: usize, fault: Option<usize>) -> String {
    let is = |name: &str| fault.is_some_and(|fault| FAULTS[fault % FAULTS.len()].0 == name);
    let unless = |name: &str, text: String| if is(name) { String::new() } else { text };
    let (topic, place) =
        (TOPICS[number % TOPICS.len()], PLACES[number / TOPICS.len() % PLACES.len()]);
    let items = 3 + number % 5;
    let list: String = (1..=items)
        .map(|item| {
            format!("<li><a href='/p/{}'>{topic} {item} in {place}</a></li>", number + item)
        })
        .collect();
    let rows: String = (1..=4 + number % 6)
        .map(|row| format!("<tr><th scope=row>Order {number}-{row}</th><td>{topic}</td><td><button type=button>Open {row}</button></td></tr>"))
        .collect();
    let navigation =
        "<nav aria-label=Main><a href=/p/0>Home</a> <a href=/p/1>Orders</a> <a href=/p/2>Settings</a></nav>"
            .to_owned();
    let state = if is("button disabled") { " disabled" } else { "" };
    let style = if is("button hidden") { " style='display:none'" } else { "" };
    let cover = "<div style='position:fixed;inset:0;background:#fff;z-index:9'>Please wait for our newsletter</div>";
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{topic} in {place} - Shop</title>
<style>body{{font:16px sans-serif;margin:1rem}}table{{border-collapse:collapse}}td,th{{border:1px solid #ccc;padding:4px}}</style>
<header><a href=/>Shop</a>{}</header>
<main>{}{}<section aria-labelledby=n><h2 id=n>New {topic}</h2><form aria-label='New {topic}'>
<label>Title <input name=title></label>{}<label><input type=checkbox name=notify> Notify {place}</label>
<button{state}{style}>Save {topic}</button></form></section>
<section aria-labelledby=l><h2 id=l>Nearby</h2><ul>{}</ul></section>
<section aria-labelledby=t><h2 id=t>Orders</h2><table><caption>Orders of {place}</caption><thead><tr><th>Order<th>What<th>Open</thead><tbody>{}</tbody></table></section>
</main><footer>Page {number}</footer>{}",
        unless("navigation removed", navigation),
        unless("heading removed", format!("<h1>{topic} in {place}</h1>")),
        if is("error shown") { "<div role=alert class=error>Something went wrong: the orders could not be loaded</div>" } else { "" },
        unless("field removed", format!("<label>Amount of {topic} <input name=amount type=number></label>")),
        if is("list emptied") { String::new() } else { list },
        if is("table emptied") { String::new() } else { rows },
        if is("button covered") { cover } else { "" },
    )
    .replace(
        &format!("<button{state}{style}>Save {topic}</button>"),
        &unless("button removed", format!("<button{state}{style}>Save {topic}</button>")),
    )
}

const TOPICS: [&str; 10] =
    ["Bread", "Tea", "Lamps", "Books", "Shoes", "Chairs", "Maps", "Bikes", "Seeds", "Paint"];
const PLACES: [&str; 20] = [
    "Oslo", "Lima", "Kyoto", "Accra", "Quito", "Turin", "Perth", "Sofia", "Dakar", "Hanoi",
    "Leeds", "Porto", "Tunis", "Cusco", "Izmir", "Bergen", "Malmo", "Gdansk", "Ghent", "Basel",
];
