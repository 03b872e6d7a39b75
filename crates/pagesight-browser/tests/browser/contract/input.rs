//! Real input: the page gets trusted events of mouse and keyboard.

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: mouse_and_keyboard, an_approach);

async fn mouse_and_keyboard(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page(INPUT_PAGE)).await;
    tab.click(150.0, 120.0).await;
    let log = tab.eval("read()").await;
    assert!(log.ends_with("mousedown 1 true, mouseup 1 true, click 1 true\""), "{log}");
    tab.gesture(&click(150.0, 120.0, MouseButton::Left, 2)).await;
    let log = tab.eval("read()").await;
    assert!(log.contains("click 2 true, dblclick"), "{log}");
    tab.gesture(&click(150.0, 120.0, MouseButton::Right, 1)).await;
    let log = tab.eval("read()").await;
    assert!(log.contains("contextmenu") && !log.contains(" click"), "{log}");
    tab.gesture(&Gesture::Move { x: 1.5, y: 1.0, via: vec![] }).await;
    assert!(tab.eval("read()").await.starts_with("\"mousemove"));

    tab.click(50.0, 210.0).await;
    for key in ["a", "B", "Space", "+", "1", "ArrowLeft", "Backspace", "é"] {
        tab.press(key).await;
    }
    assert_eq!(tab.eval("field.value").await, "\"aB é1\"");
    tab.eval("read()").await;
    tab.press("Control+A").await;
    let chord = "\"keydown Control true, keydown a true, keyup a true, keyup Control true\"";
    assert_eq!(tab.eval("read()").await, chord);
    tab.press("x").await;
    assert_eq!(tab.eval("field.value").await, "\"x\"");
    tab.eval("read()").await;
    tab.press("Enter").await;
    assert_eq!(tab.eval("read()").await, "\"keydown Enter true, submit, keyup Enter true\"");

    tab.press("Control+A").await;
    let text = Gesture::InsertText { text: "Grüße 👋".to_owned(), frame: None };
    tab.gesture(&text).await;
    assert_eq!(tab.eval("field.value").await, "\"Grüße 👋\"");
    let text = "!é".to_owned();
    tab.gesture(&Gesture::Type { text, target: KeyTarget::Focused }).await;
    assert_eq!(tab.eval("field.value").await, "\"Grüße 👋!é\"");
    let odd = KeyChord {
        key: "Nonsense".to_owned(),
        control: false,
        shift: false,
        alt: false,
        meta: false,
    };
    let unknown = tab.tab.gesture(&Gesture::press_in(None, odd)).await;
    assert!(matches!(unknown, Err(BrowserError::UnknownKey(_))), "{unknown:?}");

    // With a second tab both draw, and the first still takes input.
    let second = contract.tab().await;
    for tab in [&tab, &second] {
        assert_eq!(tab.eval(NEXT_FRAME).await, "\"visible\"");
    }
    tab.eval("read()").await;
    tab.click(150.0, 120.0).await;
    let log = tab.eval("read()").await;
    assert!(log.contains("click 1 true"), "{log}");
    tab.click(50.0, 210.0).await;
    for key in ["Control+A", "x"] {
        tab.press(key).await;
    }
    assert_eq!(tab.eval("field.value").await, "\"x\"");
    second.tab.close().await.unwrap();
    tab.tab.close().await.unwrap();
}

/// A page that logs every move of the mouse with its point, also while the page is busy.
const MOVES_PAGE: &str = "
    <style>div{position:absolute;left:100px;width:200px;height:40px}</style>
    <div id=a style='top:100px'>A</div><div id=b style='top:300px'>B</div>
    <script>log = [];
    for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick'])
      addEventListener(type, e => log.push(`${type} ${e.clientX},${e.clientY} ${e.isTrusted}`), true);
    read = () => { const text = log.join('; '); log = []; return text }</script>";

/// The mouse visits a second point of the element first, and no two moves are merged.
async fn an_approach(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page(MOVES_PAGE)).await;
    let at = |moves: &str, then: &str| format!("\"{moves}{then}\"");
    let (stop, end) = ("mousemove 114,120 true", "mousemove 120,120 true");
    let to_a = (120.0, 120.0, vec![(114.0, 120.0)]);
    let (x, y, stops) = to_a;
    let via = || stops.clone();
    for round in 0..5 {
        tab.gesture(&Gesture::Move { x: 1.0, y: 1.0, via: vec![] }).await;
        tab.eval("read()").await;
        tab.gesture(&Gesture::Move { x, y, via: via() }).await;
        assert_eq!(tab.eval("read()").await, at(&format!("{stop}; {end}"), ""), "round {round}");
        let (button, count, adds) = (MouseButton::Left, 1, false);
        tab.gesture(&Gesture::Click { x, y, via: via(), button, count, adds }).await;
        let pressed = "; mousedown 120,120 true; mouseup 120,120 true; click 120,120 true";
        let log = tab.eval("read()").await;
        assert_eq!(log, at(&format!("{stop}; {end}"), pressed), "round {round}");
    }
    // Both ends of a drag.
    let from = Spot { x, y, frame: None, via: via() };
    let to = Spot { x: 120.0, y: 320.0, frame: None, via: vec![(120.0, 314.0)] };
    tab.gesture(&Gesture::Drag { from, to }).await;
    let log = tab.eval("read()").await;
    assert!(log.starts_with(&format!("\"{stop}; {end}; mousedown 120,120 true")), "{log}");
    let dropped = log.split_once("mousemove 120,314 true; mousemove 120,320 true").map(|it| it.1);
    assert!(dropped.is_some_and(|rest| rest.contains("mouseup 120,320 true")), "{log}");
    tab.tab.close().await.unwrap();
}
