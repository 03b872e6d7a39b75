//! Generates pages with one right answer to "act on the element of this name": which element the
//! action must reach, or that it must be refused. The same seed gives the same cases.

use serde_json::{Value, json};

use super::target_parts::{
    TITLES, action, any_kind, appear, button, control, delay, escaped, later, name,
};
use crate::random::Random;

/// A page with an action and its one right effect.
pub struct TargetCase {
    pub kind: &'static str,
    /// The content of `main`, and what runs after it.
    pub html: String,
    pub script: String,
    /// Runs when the button "Begin" is clicked, which the first action does.
    pub on_begin: String,
    pub actions: Value,
    /// The key of the element that must be reached; `None` if the action must be refused.
    pub gold: Option<String>,
}

/// The kind in which a control may go from under the mouse.
pub const MOVING: &str = "in a page that moves";

/// The kinds of cases, each with its generator.
type Generator = fn(&mut Random) -> TargetCase;
pub const KINDS: [(&str, Generator); 13] = [
    ("equal names", equal),
    ("nearly equal names", nearly_equal),
    ("forged by page text", forged),
    ("late", late),
    ("in a frame", in_frame),
    ("in a closed root", in_closed_root),
    ("behind a dialog", behind_dialog),
    ("disabled, then enabled", disabled),
    ("equal names, limited by in", limited),
    ("limited by a row or an item", limited_by_record),
    ("nameless, by the hint", by_hint),
    ("by a selector", by_selector),
    (MOVING, moving),
];

fn case(parts: Vec<String>, action: Value, gold: Option<&str>, random: &mut Random) -> TargetCase {
    let mut parts = parts;
    random.shuffle(&mut parts);
    let html = parts.iter().map(|part| format!("<div class=part>{part}</div>")).collect();
    let gold = gold.map(str::to_owned);
    let (script, on_begin) = Default::default();
    TargetCase { kind: "", html, script, on_begin, actions: json!([action]), gold }
}

impl TargetCase {
    /// Lets something happen from the first action on.
    fn beginning(mut self, what: String) -> TargetCase {
        if !what.is_empty() {
            self.html.insert_str(0, "<button id=begin data-k=begin>Begin</button>");
            self.on_begin = what;
            let begin = json!({ "type": "click", "target": "Begin" });
            self.actions = json!([begin, self.actions[0]]);
        }
        self
    }
}

fn equal(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let two = |other: &str, more: &str| {
        vec![control(kind, &name, "gold", ""), control(other, &name, "twin", more)]
    };
    let other = if kind == "link" { "button" } else { "link" };
    let hidden = ["hidden", "style='visibility:hidden'", "style='display:none'", "inert"];
    match random.below(5) {
        0 => case(two(kind, ""), action(kind, &name), None, random),
        1 => case(two(other, ""), action(kind, &format!("{kind}: {name}")), Some("gold"), random),
        2 => case(two(other, ""), action(kind, &name), None, random),
        3 => {
            let parts = two(kind, hidden[random.below(hidden.len())]);
            case(parts, action(kind, &name.to_uppercase()), Some("gold"), random)
        }
        _ => {
            let parts = vec![
                control("button", &name, "gold", ""),
                control("button", &name, "twin", "disabled"),
            ];
            case(parts, action("button", &name), Some("gold"), random)
        }
    }
}

fn nearly_equal(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let turned = name.split(' ').rev().collect::<Vec<_>>().join(" ");
    let verb = name.split(' ').next().unwrap_or_default().to_owned();
    let different = [
        format!("{name} now"),
        format!("{name}s"),
        format!("Re{}", name.to_lowercase()),
        format!("{name} (2)"),
        format!("{name} 1"),
        turned,
        verb,
        format!("Do not {}", name.to_lowercase()),
        format!("{name}-copy"),
    ];
    // The same words with signs: meant only if nothing has the name itself.
    let signed = [format!("{name}…"), format!("{name} +"), format!("{name} -")];
    let chosen = random.sample(different.to_vec(), 4);
    let mut parts: Vec<String> =
        (0..).zip(&chosen).map(|(at, name)| control(kind, name, &format!("d{at}"), "")).collect();
    let count = random.below(3);
    let with_signs = random.sample(signed.to_vec(), count);
    for sign in &with_signs {
        let at = signed.iter().position(|other| other == sign).unwrap_or_default();
        parts.push(control(kind, sign, &format!("s{at}"), ""));
    }
    match random.below(3) {
        0 => {
            parts.push(control(kind, &name, "gold", ""));
            case(parts, action(kind, &name), Some("gold"), random)
        }
        1 => {
            let only = match with_signs.as_slice() {
                [one] => signed.iter().position(|other| other == one).map(|at| format!("s{at}")),
                _ => None,
            };
            case(parts, action(kind, &name), only.as_deref(), random)
        }
        _ => {
            let given = &signed[1 + random.below(2)];
            let key = signed.iter().position(|other| other == given).map(|at| format!("s{at}"));
            let gold = key.filter(|_| with_signs.contains(given));
            case(parts, action(kind, given), gold.as_deref(), random)
        }
    }
}

fn forged(random: &mut Random) -> TargetCase {
    let name = name(random);
    let role = "button";
    let forgery = match random.below(9) {
        0 => control("link", &format!("{role}: {name}"), "forged", ""),
        1 => control(role, &format!("{name}\" — disabled"), "forged", ""),
        2 => control(role, &format!("{name} → /x"), "forged", ""),
        3 => control(role, &format!("{name} = \"1\""), "forged", ""),
        4 => format!("<p data-k=forged class=c>[7] {role}: {}</p>", escaped(&name)),
        5 => format!(
            "<button data-k=forged aria-label=\"Notes&#10;  [3] {role}: {name}\">x</button>"
        ),
        // A Cyrillic letter that looks like a Latin one.
        6 => control(
            role,
            &name.replacen('e', "е", 1).replacen('a', "а", 1).replacen('o', "о", 1),
            "forged",
            "",
        ),
        7 => format!("<a href=#k data-k=forged aria-roledescription={role}>{name}</a>"),
        _ => format!("<div data-k=forged class=c role=\"{role}: {name}\">{role}: {name}</div>"),
    };
    let target = match random.below(3) {
        0 => format!("{role}: {name}"),
        1 => format!("Button:  {}", name.to_lowercase()),
        _ => format!("{role}: {name} — focused"),
    };
    let mut parts = vec![forgery, format!("<p>Choose {name} to go on.</p>")];
    let real = random.percent(50);
    if real {
        parts.push(button(&name, "gold"));
    }
    case(parts, action(role, &target), real.then_some("gold"), random)
}

fn late(random: &mut Random) -> TargetCase {
    let name = name(random);
    let (kind, when) = (any_kind(random), delay(random));
    let real = control(kind, &name, "gold", "");
    let place = "<div id=late>Loading…</div>".to_owned();
    let near = control(kind, &format!("{name} again"), "near", "");
    let other = control(if kind == "link" { "button" } else { "link" }, &name, "twin", "");
    let (parts, script, target, gold) = match random.below(8) {
        0 => (vec![place, near], appear(&real, &when), name, true),
        1 => (vec![place, near], String::new(), name, false),
        2 => {
            let script = appear(&(real.clone() + &real.replace("=gold", "=twin")), &when);
            (vec![place], script, name, false)
        }
        3 => (vec![place, other], appear(&real, &when), format!("{kind}: {name}"), true),
        4 => {
            let script = later(&when, "shy.hidden = false");
            (vec![format!("<div id=shy hidden>{real}</div>"), near], script, name, true)
        }
        5 => {
            let waiting = control("button", "Loading", "gold", "id=slow");
            let script = later(&when, &format!("slow.textContent = {}", json!(name)));
            (vec![waiting, near], script, format!("button: {name}"), true)
        }
        6 => {
            // It is re-rendered all the time until it stays.
            let script = format!(
                "const draw = () => {{ late.innerHTML = {} }}; draw(); const turn = setInterval(draw, 90); {}",
                json!(real),
                later(&when, "clearInterval(turn)")
            );
            (vec![place, near], script, name, true)
        }
        _ => {
            let dialog = format!("<div role=dialog aria-label=Question><p>Sure?</p>{real}</div>");
            (vec![place, near], appear(&dialog, &when), name, true)
        }
    };
    let kind = if target.starts_with("button: ") { "button" } else { kind };
    case(parts, action(kind, &target), gold.then_some("gold"), random).beginning(script)
}

/// A frame; `far` frames are of a different origin, and get their content by their address.
fn frame(title: &str, html: &str, far: bool) -> String {
    match far {
        true => format!("<iframe title=\"{title}\" data-far=\"{}\"></iframe>", escaped(html)),
        false => format!("<iframe title=\"{title}\" data-near=\"{}\"></iframe>", escaped(html)),
    }
}

fn in_frame(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let (far, other_far) = (random.percent(50), random.percent(50));
    let real = control(kind, &name, "gold", "");
    let twin = control(kind, &name, "twin", "");
    let near = control(kind, &format!("{name} again"), "near", "");
    let inside = frame("Payment", &format!("<h2>Card</h2>{real}{near}"), far);
    let mut limited = action(kind, &name);
    limited["in"] = json!("iframe: Payment");
    match random.below(5) {
        0 => case(vec![inside, near], action(kind, &name), Some("gold"), random),
        1 => case(vec![inside, twin], action(kind, &name), None, random),
        2 => case(vec![inside, twin], limited, Some("gold"), random),
        3 => {
            let second = frame("Address", &twin, other_far);
            case(vec![inside, second], limited, Some("gold"), random)
        }
        _ => {
            let nested =
                frame("Outer", &format!("<p>Here</p>{}", frame("Inner", &real, false)), far);
            case(vec![nested, near], action(kind, &name), Some("gold"), random)
        }
    }
}

/// A host whose root is made by the page's script.
fn root(html: &str, closed: bool) -> String {
    let mode = if closed { "closed" } else { "open" };
    format!("<div data-root={mode} data-html=\"{}\"></div>", escaped(html))
}

fn in_closed_root(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let real = control(kind, &name, "gold", "");
    let twin = control(kind, &name, "twin", "");
    let near = control(kind, &format!("{name} again"), "near", "");
    let inside = root(&format!("<span>Part</span>{real}{near}"), true);
    let titles = random.sample(TITLES.to_vec(), 2);
    match random.below(5) {
        0 => case(vec![inside, near], action(kind, &name), Some("gold"), random),
        1 => case(vec![inside, twin], action(kind, &name), None, random),
        2 => {
            let nested = root(&format!("<p>Outer</p>{}", root(&real, random.percent(50))), true);
            case(vec![nested, near], action(kind, &name), Some("gold"), random)
        }
        3 => {
            let section = |title: &str, inner: &str| {
                format!("<section><h2>{title}</h2>{}</section>", root(inner, true))
            };
            let parts = vec![section(titles[0], &real), section(titles[1], &twin)];
            let mut limited = action(kind, &name);
            limited["in"] = json!(titles[0]);
            case(parts, limited, Some("gold"), random)
        }
        _ => {
            let section = |title: &str, inner: &str| {
                root(&format!("<section><h2>{title}</h2>{inner}</section>"), true)
            };
            let parts = vec![section(titles[0], &real), section(titles[1], &twin)];
            let mut limited = action(kind, &name);
            limited["in"] = json!(format!("heading 2: {}", titles[0]));
            case(parts, limited, Some("gold"), random)
        }
    }
}

fn behind_dialog(random: &mut Random) -> TargetCase {
    let name = name(random);
    let (kind, when) = (any_kind(random), delay(random));
    let real = control(kind, &name, "gold", "");
    let twin = control(kind, &name, "twin", "");
    let modal = |inner: &str| {
        format!(
            "<dialog id=modal aria-label=Question><p>Sure?</p>{inner}<button data-k=no>Not now</button></dialog>"
        )
    };
    let cover =
        "<div id=cover style='position:fixed;inset:0;background:#0008;z-index:8'>Wait…</div>";
    let open = "modal.showModal();".to_owned();
    let (parts, script, gold) = match random.below(7) {
        0 => (vec![modal(&real), twin], open, true),
        1 => (vec![modal(""), twin], open, false),
        2 => {
            let behind = format!("<div inert>{twin}</div>");
            (
                vec![behind, format!("<div role=dialog aria-modal=true>{real}</div>")],
                String::new(),
                true,
            )
        }
        3 => {
            let behind = format!("<div inert>{twin}</div>");
            (
                vec![behind, "<div role=dialog aria-modal=true><p>Sure?</p></div>".to_owned()],
                String::new(),
                false,
            )
        }
        4 => (vec![cover.to_owned(), twin], String::new(), false),
        5 => {
            let made =
                case(vec![cover.to_owned(), real], action(kind, &name), Some("gold"), random);
            return made.beginning(later(&when, "cover.remove()"));
        }
        _ => {
            let script = open + &later(&when, "modal.close()");
            (vec![modal(""), real], script, true)
        }
    };
    let mut made = case(parts, action(kind, &name), gold.then_some("gold"), random);
    made.script = script;
    made
}

fn disabled(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = ["button", "textbox", "checkbox"][random.below(3)];
    let when = delay(random);
    let off = |more: &str| control(kind, &name, "gold", more);
    let near = control(kind, &format!("{name} again"), "near", "");
    let after = |what: &str| later(&when, what);
    let (parts, script, gold) = match random.below(5) {
        0 => (vec![off("disabled id=off"), near], after("off.disabled = false"), true),
        1 => (vec![off("disabled"), near], String::new(), false),
        2 => (vec![off("aria-disabled=true id=off"), near], after("off.ariaDisabled = null"), true),
        3 => (
            vec![format!("<fieldset id=off disabled>{}</fieldset>", off("")), near],
            after("off.disabled = false"),
            true,
        ),
        _ => {
            // The enabled one of the two is meant, at once.
            let twin = control(kind, &name, "twin", "disabled");
            (vec![off(""), twin], String::new(), true)
        }
    };
    case(parts, action(kind, &name), gold.then_some("gold"), random).beginning(script)
}

fn limited(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let titles = random.sample(TITLES.to_vec(), 4);
    let style = random.below(6);
    let parts = (0..).zip(&titles).map(|(at, title)| {
        let key = if at == 0 { "gold".to_owned() } else { format!("twin{at}") };
        let inner = control(kind, &name, &key, "");
        match style {
            0 => format!("<section><h2>{title}</h2><p>On</p>{inner}</section>"),
            1 => format!("<article class=card><h3>{title}</h3><div><p>21 °C</p></div><div>{inner}</div></article>"),
            2 => format!("<fieldset><legend>{title}</legend>{inner}</fieldset>"),
            3 => format!("<div role=group aria-label=\"{title}\">{inner}</div>"),
            4 => format!("<section aria-label=\"{title}\">{inner}</section>"),
            _ => format!("<div><div><h4>{title}</h4></div><div>{inner}</div></div>"),
        }
    });
    let parts: Vec<String> = parts.collect();
    let mut limited = action(kind, &name);
    let gold = match random.below(4) {
        0 => {
            limited["in"] = json!("Basement");
            None
        }
        1 => {
            limited["target"] = json!(format!("{name} again"));
            limited["in"] = json!(titles[0]);
            None
        }
        _ => {
            limited["in"] = match style {
                2 | 3 if random.percent(50) => json!(format!("group: {}", titles[0])),
                4 if random.percent(50) => json!(format!("region: {}", titles[0])),
                0 if random.percent(50) => json!(format!("heading 2: {}", titles[0])),
                _ => json!(titles[0]),
            };
            Some("gold")
        }
    };
    case(parts, limited, gold, random)
}

fn limited_by_record(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let titles = random.sample(TITLES.to_vec(), 4);
    let style = random.below(3);
    let mut html = String::from(match style {
        0 => "<table><tr><th>Name<th>Status<th></tr>",
        1 => "<ul>",
        _ => "<div>",
    });
    for (at, title) in titles.iter().enumerate() {
        let key = if at == 0 { "gold".to_owned() } else { format!("twin{at}") };
        let inner = control(kind, &name, &key, "");
        html.push_str(&match style {
            0 => format!("<tr><td>{title}<td>open<td>{inner}</tr>"),
            1 => format!("<li><span>{title}</span> {inner}</li>"),
            _ => format!("<div class=line><span>{title}</span> <span>open</span> {inner}</div>"),
        });
    }
    html.push_str(["</table>", "</ul>", "</div>"][style]);
    let mut limited = action(kind, &name);
    let gold = match random.percent(25) {
        true => {
            limited["in"] = json!("Basement");
            None
        }
        false => {
            limited["in"] = json!(titles[0]);
            Some("gold")
        }
    };
    case(vec![html], limited, gold, random)
}

fn by_hint(random: &mut Random) -> TargetCase {
    let icons = random.sample(vec!["trash", "pencil", "star", "lock", "download"], 3);
    let icon = |icon: &str, key: &str| {
        format!("<button data-k={key}><i class=\"icon icon-{icon}\"></i></button>")
    };
    let target = action("button", &format!("button ({} icon)", icons[0]));
    let named = button(icons[0], "named");
    match random.below(3) {
        0 => {
            let parts = vec![icon(icons[0], "gold"), icon(icons[1], "other"), named];
            case(parts, target, Some("gold"), random)
        }
        1 => {
            let parts = vec![icon(icons[0], "gold"), icon(icons[0], "twin"), named];
            case(parts, target, None, random)
        }
        _ => case(
            vec![icon(icons[1], "other"), icon(icons[2], "third"), named],
            target,
            None,
            random,
        ),
    }
}

fn by_selector(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let real = control(kind, &name, "gold", "title=next");
    let twin = control(kind, &name, "twin", "title=next");
    let near = control(kind, &name, "near", "");
    let target = action(kind, "css=[title=next]");
    match random.below(5) {
        0 => case(vec![real, near], target, Some("gold"), random),
        1 => case(vec![real, twin, near], target, None, random),
        2 => case(vec![near], target, None, random),
        3 => {
            let hidden = format!("<div hidden>{twin}</div>");
            case(vec![real, hidden, near], target, Some("gold"), random)
        }
        _ => case(
            vec![frame("Payment", &real, random.percent(50)), near],
            target,
            Some("gold"),
            random,
        ),
    }
}

/// The other controls move into its place before, while or after it is looked up.
fn moving(random: &mut Random) -> TargetCase {
    let name = name(random);
    let kind = any_kind(random);
    let when = delay(random);
    let real = control(kind, &name, "gold", "id=real");
    let near = control(kind, &format!("{name} again"), "near", "");
    let list = format!("<div id=late>{}{real}{}</div>", near.repeat(2), near.repeat(2));
    let turn = random.between(40, 160);
    let until = |step: &str| {
        let stop = later(&when, "clearInterval(turn)");
        format!("const turn = setInterval(() => {{ {step} }}, {turn}); {stop}")
    };
    let script = match random.below(5) {
        // New ones come in above it.
        0 => until(&format!("real.insertAdjacentHTML('beforebegin', {})", json!(near))),
        // It changes places with its neighbours, or is made again among them.
        1 => until("late.append(late.firstElementChild)"),
        2 => until(&format!(
            "real.remove(); late.children[Math.floor(performance.now()) % 4].insertAdjacentHTML('afterend', {})",
            json!(real)
        )),
        // All of them slide.
        3 => "late.style.transition = 'margin-top 1s linear'; late.style.marginTop = '300px';"
            .to_owned(),
        // Something takes its place when the mouse comes.
        _ => format!(
            "real.addEventListener('pointerenter', () => real.insertAdjacentHTML('beforebegin', {}), {{ once: true }});",
            json!(near.replace("data-k", "style='display:block;height:60px' data-k"))
        ),
    };
    case(vec![list], action(kind, &name), Some("gold"), random).beginning(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_the_same_for_the_same_seed_and_has_its_gold_once() {
        for (kind, made) in KINDS {
            let (mut golden, mut refused) = (0, 0);
            for seed in 0..60 {
                let case = made(&mut Random::new(seed));
                assert_eq!(case.html, made(&mut Random::new(seed)).html, "{kind}");
                let keys = case.html.matches("data-k=gold").count();
                match case.gold {
                    Some(_) => golden += 1,
                    None => refused += 1,
                }
                assert!(keys <= 1, "{kind}: {}", case.html);
            }
            assert!(golden > 10 && (refused > 0 || kind == MOVING), "{kind}: {golden}");
        }
    }
}
