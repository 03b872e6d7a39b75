//! Real input: the page gets trusted events of mouse and keyboard.

use pagesight_browser::*;

use crate::Contract;
use crate::common::*;

fn click(button: MouseButton, count: u8) -> Gesture {
    Gesture::Click { x: 150.0, y: 120.0, button, count, adds: false }
}

pub async fn mouse_and_keyboard(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page(INPUT_PAGE)).await;
    tab.click(150.0, 120.0).await;
    let log = tab.eval("read()").await;
    assert!(log.ends_with("mousedown 1 true, mouseup 1 true, click 1 true\""), "{log}");
    tab.tab.gesture(&click(MouseButton::Left, 2)).await.unwrap();
    let log = tab.eval("read()").await;
    assert!(log.contains("click 2 true, dblclick"), "{log}");
    tab.tab.gesture(&click(MouseButton::Right, 1)).await.unwrap();
    let log = tab.eval("read()").await;
    assert!(log.contains("contextmenu") && !log.contains(" click"), "{log}");
    tab.tab.gesture(&Gesture::Move { x: 1.5, y: 1.0 }).await.unwrap();
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
    tab.tab.gesture(&text).await.unwrap();
    assert_eq!(tab.eval("field.value").await, "\"Grüße 👋\"");
    tab.tab.gesture(&Gesture::Type("!é".to_owned())).await.unwrap();
    assert_eq!(tab.eval("field.value").await, "\"Grüße 👋!é\"");
    let odd = KeyChord {
        key: "Nonsense".to_owned(),
        control: false,
        shift: false,
        alt: false,
        meta: false,
    };
    let unknown = tab.tab.gesture(&Gesture::Press(odd)).await;
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
