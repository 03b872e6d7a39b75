//! Tests frames: they are part of the page, and the elements in them can be acted on.

use pagesight_session::{Action, LookOptions, Options};

use crate::case::{changes_of, click, line_of, on, with};
use crate::site::Page;

const OUTER: &str = "<h1>Outer</h1><iframe id=pay title=Payment src=/inner width=400 height=200></iframe><button>Out</button>";
const INNER: &str = "<button onclick=\"this.textContent='Paid'\">Pay</button><input aria-label=Card>\
    <label><input type=checkbox>Save it</label>";

fn framed(name: &'static str) -> crate::case::Setup {
    with(name, vec![Page::html("/", OUTER), Page::html("/inner", INNER)])
}

#[test]
fn a_frame_is_part_of_the_page() {
    framed("frame_look").run(async |case, tab| {
        let outline = case.outline(tab).await;
        assert!(outline.contains("button: Pay") && outline.contains("button: Out"), "{outline}");
        let look = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert_eq!((look.page.documents.len(), look.page.frames_left_out), (2, 0));
        let again = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert!(std::sync::Arc::ptr_eq(&look.page, &again.page), "put together only once");
        let pay = case.find(tab, "button: Pay").await;
        let about = case.session.expand(tab, &pay).await.unwrap();
        assert_eq!(about.frame.as_deref(), Some("iframe#pay"));
        let node = look.page.node(case.session.find(&look, &pay).unwrap()).rect();
        assert_eq!(about.rect[1], i64::from(node.y), "in pixels of the whole viewport");
    });
}

#[test]
fn a_button_in_a_frame_is_clicked() {
    framed("frame_click").run(async |case, tab| {
        let pay = case.find(tab, "button: Pay").await;
        let acted = case.act(tab, &[click(&pay)]).await;
        assert_eq!(line_of(&acted), format!("clicked [{pay}] button: Pay"));
        assert!(changes_of(acted).contains("\"Pay\" → \"Paid\""));
    });
}

#[test]
fn a_field_in_a_frame_is_filled_and_a_box_ticked() {
    framed("frame_fill").run(async |case, tab| {
        let card = case.find(tab, "textbox: Card").await;
        let fill = Action::Fill { element: card.clone().into(), text: "4242".into() };
        let line = case.line(tab, fill).await;
        assert_eq!(line, format!("filled [{card}] textbox: Card = \"4242\""));
        let save = case.find(tab, "checkbox: Save it").await;
        let target = pagesight_session::Target::Element(save.clone().into());
        let line = case.line(tab, Action::Check { target, on: true }).await;
        assert_eq!(line, format!("checked [{save}] checkbox: Save it"));
    });
}

#[test]
fn a_covered_frame_is_not_clicked_through() {
    let outer = "<iframe src=/inner width=400 height=200></iframe>\
        <div role=alert style='position:fixed;inset:0;background:white'>Wait</div>";
    let pages = vec![Page::html("/", outer), Page::html("/inner", INNER)];
    with("frame_covered", pages).run(async |case, tab| {
        let pay = case.find(tab, "button: Pay").await;
        let line = case.refusal(tab, click(&pay)).await;
        assert!(line.contains("button: Pay is covered by [") && line.contains("alert"), "{line}");
    });
}

#[test]
fn frames_are_only_counted_without_piercing() {
    let options = Options { no_pierce: true, ..Options::default() };
    framed("frame_no_pierce").options(options).run(async |case, tab| {
        let look = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert_eq!((look.page.documents.len(), look.page.frames_left_out), (1, 1));
        assert!(!case.outline(tab).await.contains("button: Pay"));
    });
}

#[test]
fn a_frame_that_hangs_is_left_out() {
    let page = "<h1>Outer</h1><iframe sandbox=allow-scripts srcdoc=\"<button>In</button><script>setTimeout(()=>{for(;;);},1500)</script>\"></iframe>";
    on("frame_hangs", page).run(async |case, tab| {
        let wait = Action::Wait {
            until: pagesight_session::WaitFor::Time(std::time::Duration::from_millis(1800)),
            limit: std::time::Duration::from_secs(5),
        };
        case.act(tab, &[wait]).await;
        let look = case.session.look(tab, LookOptions::default()).await.unwrap();
        assert_eq!(look.page.frames_left_out, 1);
        assert!(case.outline(tab).await.contains("heading 1: Outer"));
    });
}
