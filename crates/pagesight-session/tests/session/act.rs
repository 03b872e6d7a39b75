//! Tests batches, the mouse, and the reports of actions.

use pagesight_core::refs::RefError;
use pagesight_session::{Action, Feature, Target, WaitFor};
use std::time::Duration;

use crate::case::{changes_of, click, line_of, on, with};
use crate::site::Page;

const BUTTONS: &str = "<!doctype html><title>Buttons</title><h1>Buttons</h1>\
    <button onclick=\"document.querySelector('p').textContent='Saved'\">Save</button>\
    <button>Idle</button><button disabled>Locked</button><p role=status>Waiting</p>";

#[test]
fn a_click_is_reported_with_what_it_changed() {
    on("click_changes", BUTTONS).run(async |case, tab| {
        let save = case.find(tab, "Save").await;
        let acted = case.act(tab, &[click(&save)]).await;
        assert_eq!(line_of(&acted), format!("clicked [{save}] button: Save"));
        assert_eq!((acted.not_run, &acted.trouble), (0, &None));
        assert!(changes_of(acted).contains("\"Waiting\" → \"Saved\""));
    });
}

#[test]
fn a_click_without_effect_says_so() {
    on("click_idle", BUTTONS).run(async |case, tab| {
        let idle = case.find(tab, "Idle").await;
        let acted = case.act(tab, &[click(&idle)]).await;
        let line = line_of(&acted);
        let start = format!("clicked [{idle}] button: Idle — no visible change within ");
        let watched = line.strip_prefix(&start).and_then(|rest| rest.strip_suffix(" ms"));
        let watched: Option<u64> = watched.and_then(|ms| ms.parse().ok());
        assert!(watched.is_some_and(|ms| (100..=3_000).contains(&ms)), "{line}");
        assert_eq!(acted.changes, None, "it is not said twice");
    });
}

#[test]
fn a_batch_stops_at_the_first_failure() {
    on("batch_stops", BUTTONS).run(async |case, tab| {
        let outline = case.outline(tab).await;
        assert!(outline.contains("Locked"), "{outline}");
        let (save, locked) = (case.find(tab, "Save").await, case.find(tab, "Locked").await);
        let wait = Action::Wait {
            until: WaitFor::Time(Duration::from_millis(5)),
            limit: Duration::from_secs(1),
        };
        let acted = case.act(tab, &[click(&save), click(&locked), click(&save), wait]).await;
        let failed: Vec<bool> = acted.reports.iter().map(Result::is_err).collect();
        assert_eq!((failed, acted.not_run), (vec![false, true], 2));
        assert!(acted.failed());
        // The actions before the failed one are still reported.
        assert!(changes_of(acted).contains("Saved"));
    });
}

#[test]
fn an_unknown_reference_changes_nothing() {
    on("unknown_reference", BUTTONS).run(async |case, tab| {
        let line = case.refusal(tab, click("987654")).await;
        assert!(line.starts_with("failed: no element has the number 987654"), "{line}");
        let line = case.refusal(tab, click("nonsense")).await;
        assert!(line.contains("\"nonsense\" is not a reference"), "{line}");
    });
}

#[test]
fn a_batch_with_an_unknown_reference_does_not_begin() {
    on("batch_checked_ahead", BUTTONS).run(async |case, tab| {
        let save = case.find(tab, "Save").await;
        let acted = case.act(tab, &[click(&save), click("987654")]).await;
        assert_eq!((acted.reports.len(), acted.not_run), (1, 1));
        let unknown = Err(RefError::Unknown { number: 987_654 }.into());
        assert_eq!(acted.reports[0], unknown);
        let outline = case.outline(tab).await;
        assert!(!outline.contains("Saved"), "{outline}");
    });
}

#[test]
fn without_page_diffing_no_changes_are_reported() {
    on("diffing_off", BUTTONS).run(async |case, tab| {
        let save = case.find(tab, "Save").await;
        case.session.turn_off(Feature::PageDiffing);
        let acted = case.act(tab, &[click(&save)]).await;
        assert_eq!((acted.failed(), acted.changes), (false, None));
    });
}

#[test]
fn without_smart_waiting_an_action_ends_with_the_next_repaint() {
    let page = "<button onclick=\"setTimeout(()=>{b.textContent='Late'},400)\">Go</button><b id=b>Early</b>";
    on("waiting_off", page).run(async |case, tab| {
        let go = case.find(tab, "Go").await;
        case.session.turn_off(Feature::SmartWaiting);
        let acted = case.act(tab, &[click(&go)]).await;
        assert!(!acted.failed() && !changes_of(acted).contains("Late"));
    });
}

#[test]
fn a_stale_reference_is_refused_after_a_navigation() {
    let pages = vec![Page::html("/", BUTTONS), Page::html("/next", "<h1>Next</h1>")];
    with("stale_reference", pages).run(async |case, tab| {
        let save = case.find(tab, "Save").await;
        case.open(tab, "/next").await;
        let line = case.refusal(tab, click(&save)).await;
        assert!(
            line.starts_with(&format!("failed: stale reference [{save}]: it belonged to the page")),
            "{line}"
        );
    });
}

#[test]
fn a_recycled_row_is_refused_once() {
    let page = "<table><tr><td>Alpha<td><button>Delete</button><tr><td>Beta<td>x</table>\
        <button onclick=\"document.querySelector('td').textContent='Gemini'\">Recycle</button>";
    on("recycled_row", page).run(async |case, tab| {
        case.session.turn_off(Feature::PageDiffing);
        let (delete, recycle) = (case.find(tab, "Delete").await, case.find(tab, "Recycle").await);
        case.line(tab, click(&recycle)).await;
        let line = case.refusal(tab, click(&delete)).await;
        assert!(line.contains("a different row (Gemini"), "{line}");
        let line = case.line(tab, click(&delete)).await;
        assert!(line.starts_with(&format!("clicked [{delete}] button: Delete")), "{line}");
    });
}

#[test]
fn a_renamed_element_is_refused() {
    let page =
        "<button id=b>Save</button><button onclick=\"b.textContent='Store'\">Rename</button>";
    on("renamed", page).run(async |case, tab| {
        case.session.turn_off(Feature::PageDiffing);
        let (save, rename) = (case.find(tab, "Save").await, case.find(tab, "Rename").await);
        case.line(tab, click(&rename)).await;
        let line = case.refusal(tab, click(&save)).await;
        assert!(line.contains("it was button: Save and is now"), "{line}");
    });
}

#[test]
fn an_equal_element_takes_a_reference_over() {
    let page = "<div id=d><button>Save</button></div>\
        <button onclick=\"d.innerHTML='<button>Save</button>'\">Render</button>";
    on("rerendered", page).run(async |case, tab| {
        let (save, render) = (case.find(tab, "Save").await, case.find(tab, "Render").await);
        case.line(tab, click(&render)).await;
        let line = case.line(tab, click(&save)).await;
        assert!(line.starts_with(&format!("clicked [{save}] button: Save")), "{line}");
    });
}

#[test]
fn a_covered_target_names_its_cover() {
    let page = "<button>Buy</button><div role=dialog aria-label=Cookies \
        style='position:fixed;inset:0;background:white'><button>Accept</button></div>";
    on("covered", page).run(async |case, tab| {
        let buy = case.find(tab, "button: Buy").await;
        let line = case.refusal(tab, click(&buy)).await;
        let dialog = case.find(tab, "dialog: Cookies").await;
        assert_eq!(
            line,
            format!("failed: [{buy}] button: Buy is covered by [{dialog}] dialog: Cookies")
        );
    });
}

#[test]
fn a_target_that_cannot_be_clicked_is_refused() {
    let moving = "<style>@keyframes m{from{left:0}to{left:600px}}\
        button{position:absolute;animation:m .4s linear infinite alternate}</style><button>Run</button>";
    let shy = "<button onmousedown=\"this.style.display='none'\">Shy</button><p>Below</p>";
    for (name, page, button, reason) in [
        ("click_disabled", BUTTONS, "Locked", "is disabled"),
        ("moving", moving, "Run", "does not stop moving; try again"),
        ("swallowed_click", shy, "Shy", "got the press but no click"),
    ] {
        on(name, page).run(async |case, tab| {
            let target = case.find(tab, button).await;
            let line = case.refusal(tab, click(&target)).await;
            let expected = format!("failed: [{target}] button: {button} {reason}");
            assert!(line.starts_with(&expected), "{line}");
        });
    }
}

#[test]
fn a_point_is_reported_with_what_lies_there() {
    let page = "<body style='margin:0'><button style='width:200px;height:100px'>Big</button>";
    on("click_point", page).run(async |case, tab| {
        let line = case.line(tab, Action::Click(Target::Point(50.0, 50.0))).await;
        assert!(line.starts_with("clicked at 50,50 [") && line.contains("button: Big"), "{line}");
        let line = case.refusal(tab, Action::Click(Target::Point(5000.0, 5.0))).await;
        assert!(
            line.contains("the point 5000,5 lies outside of the viewport of 1280x720"),
            "{line}"
        );
    });
}

#[test]
fn every_mouse_action_has_its_verb() {
    let page = "<button onmouseenter=\"p.textContent='in'\" ondblclick=\"p.textContent='twice'\" \
        oncontextmenu=\"p.textContent='menu';return false\">Try</button><p id=p>out</p>";
    on("mouse_verbs", page).run(async |case, tab| {
        let given = case.find(tab, "Try").await;
        let target = || Target::Element(given.clone().into());
        for (action, verb) in [
            (Action::Hover(target()), "hovered"),
            (Action::DoubleClick(target()), "double-clicked"),
            (Action::RightClick(target()), "right-clicked"),
        ] {
            let line = case.line(tab, action).await;
            assert_eq!(line, format!("{verb} [{given}] button: Try"));
        }
    });
}

#[test]
fn a_link_is_followed_to_its_end() {
    let next = Page::html("/next", "<title>Thank you</title><h1>Thanks</h1>").status(201);
    let first = Page::html("/", "<a href=/next>Next</a>");
    with("click_navigates", vec![first, next]).run(async |case, tab| {
        let link = case.find(tab, "Next").await;
        let acted = case.act(tab, &[click(&link)]).await;
        assert_eq!(
            line_of(&acted),
            format!("clicked [{link}] link: Next — navigated to /next \"Thank you\" (201)")
        );
        assert!(changes_of(acted).contains("heading 1: Thanks"), "a short outline");
    });
}

#[test]
fn a_link_that_leads_nowhere_is_reported() {
    let page = "<a href=http://127.0.0.1:1/>Refused</a>";
    on("click_refused", page).run(async |case, tab| {
        let link = case.find(tab, "Refused").await;
        let line = case.line(tab, click(&link)).await;
        assert!(line.contains("the navigation failed (net::ERR_"), "{line}");
    });
}

#[test]
fn console_errors_and_failed_requests_are_trouble() {
    let page = "<button onclick=\"console.error('Oops');fetch('/broken').then((r)=>r.text());setTimeout(()=>{throw Error('Late')})\">Break</button>";
    let broken = Page::html("/broken", "no").status(500);
    with("trouble", vec![Page::html("/", page), broken]).run(async |case, tab| {
        let broken = case.find(tab, "Break").await;
        let trouble = case.act(tab, &[click(&broken)]).await.trouble.unwrap();
        assert!(trouble.starts_with("2 console errors: [e1] Oops; [e2] "), "{trouble}");
        assert!(trouble.ends_with("] GET /broken 500"), "{trouble}");
        assert!(trouble.contains(" · 1 failed request: [r"), "{trouble}");
        let info = case.session.page_info(tab).await.unwrap();
        assert_eq!(info.failed_requests, ["GET /broken 500"]);
        assert_eq!((info.console_errors.len(), info.status), (2, Some(200)));
    });
}

#[test]
fn a_drag_goes_from_one_element_to_the_other() {
    let page = "<style>p{width:100px;height:40px;margin:20px}</style>\
        <p draggable=true role=button aria-label=Card>Card</p>\
        <p role=button aria-label=Bin ondragover=event.preventDefault() ondrop=\"this.textContent='Full'\">Empty</p>";
    on("drag", page).run(async |case, tab| {
        let (card, bin) = (case.find(tab, "Card").await, case.find(tab, "Bin").await);
        let from = Target::Element(card.clone().into());
        let line =
            case.line(tab, Action::Drag { from, to: Target::Element(bin.clone().into()) }).await;
        assert_eq!(line, format!("dragged [{card}] button: Card to [{bin}] button: Bin"));
    });
}

#[test]
fn a_drag_between_places_that_are_not_in_view_together_is_refused() {
    let page = "<button>Card</button><div style='height:3000px'></div><button>Bin</button>";
    on("drag_apart", page).run(async |case, tab| {
        let (card, bin) = (case.find(tab, "Card").await, case.find(tab, "Bin").await);
        let drag =
            Action::Drag { from: Target::Element(card.into()), to: Target::Element(bin.into()) };
        let line = case.refusal(tab, drag).await;
        assert!(line.contains("are not in view at the same time"), "{line}");
    });
}
