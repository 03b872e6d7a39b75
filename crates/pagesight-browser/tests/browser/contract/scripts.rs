//! Calls of the page script, values of expressions, and the isolation of the script from the page.

use std::time::Duration;

use pagesight_browser::*;

use super::Contract;
use crate::support::*;

both_engines!(crate::contract::share: values, isolation, hidden_parts, closed_roots);

async fn values(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    assert_eq!(tab.eval("[innerWidth, innerHeight, devicePixelRatio]").await, "[1280,720,1]");
    let events = tab.open(&page("<title>T</title><button>Press</button>")).await;
    assert_eq!(names(&events), ["started", "answered 200", "committed", "dom", "loaded"]);
    let walk = tab.walk().await;
    assert!(walk.contains("Press"), "{walk}");
    for function in ["nothing", "walk(1);x"] {
        let error = tab.script(function, "[]").await;
        assert!(matches!(error, Err(BrowserError::Script(_))), "{error:?}");
    }

    assert_eq!(tab.eval("undefined").await, "null");
    assert_eq!(tab.eval("NaN").await, "null");
    let object = "({b: 1, a: [1, 'x', undefined], u: undefined})";
    assert_eq!(tab.eval(object).await, r#"{"b":1,"a":[1,"x",null]}"#);
    assert_eq!(tab.eval("Promise.resolve(12n)").await, "\"12\"");
    assert_eq!(tab.eval("'é\\ud83d\\n\\x00'").await, "\"é\u{fffd}\\n\\u0000\"");
    assert_eq!(tab.eval("'x'.repeat(10_000_000)").await.len(), 10_000_002);
    let thrown = tab.tab.evaluate("(() => { throw new TypeError('no\\nmore') })()", LIMIT).await;
    assert_eq!(thrown, Err(BrowserError::Script("TypeError: no".to_owned())));
    let never = tab.tab.evaluate("new Promise(() => {})", Duration::from_millis(300)).await;
    assert!(matches!(never, Err(BrowserError::TimedOut { .. })), "{never:?}");

    tab.pending();
    tab.eval("console.error('bad', 7, new Error('inner')); setTimeout(() => { throw new Error('later\\ud83d') })")
        .await;
    let later = |event: &TabEvent| matches!(event, TabEvent::Console(message) if message.text.contains("later"));
    let events = tab.until("the exception", later).await;
    assert_eq!(names(&events), ["error bad 7 Error: inner", "error Error: later\u{fffd}"]);
    tab.tab.close().await.unwrap();
}

/// Tests a page that has changed everything it can reach.
async fn isolation(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    tab.open(&page("<p>plain")).await;
    assert_eq!(tab.eval("typeof pagesight").await, "\"undefined\"");
    let tampered = page(
        "<script>
         for (const name of ['querySelectorAll', 'getAttribute', 'getBoundingClientRect', 'attachShadow'])
           Element.prototype[name] = () => { throw new Error('seen ' + name) };
         Object.defineProperty(Node.prototype, 'childNodes', { get() { throw new Error('seen childNodes') } });
         Array.prototype.push = Array.prototype.map = JSON.stringify = WeakMap.prototype.get = () => { throw new Error('seen') };
         window.getComputedStyle = null; window.pagesight = { walk: () => 'tampered' };
         </script><button>Still here</button>",
    );
    let events = tab.open(&tampered).await;
    let walk = tab.walk().await;
    assert!(walk.contains("Still here") && !walk.contains("error"), "{walk}");
    let heard: Vec<String> =
        names(&events).into_iter().filter(|name| name.contains("seen")).collect();
    assert_eq!(heard, Vec::<String>::new());
    let globals = "Object.keys(window).filter(name => name === 'pagesight').length";
    assert_eq!(tab.eval(globals).await, "1", "only the page's own");
    tab.tab.close().await.unwrap();
}

/// Closed shadow roots are handed to the page script.
async fn hidden_parts(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    let closed = "<div id=host></div><script>
         host.attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>';
         </script>";
    tab.open(&page(closed)).await;
    assert!(!tab.walk().await.contains("Inside"));
    let found = tab.tab.find_hidden_parts(LIMIT).await.unwrap();
    assert_eq!(found.roots_left_out, 0);
    assert!(found.listeners, "all are known");
    let walk = tab.walk().await;
    assert!(walk.contains("Inside"), "{walk}");
    tab.tab.close().await.unwrap();
}

/// A long page with a frame and without closed shadow roots is recognised, and an empty closed root
/// is noticed.
async fn closed_roots(contract: &mut Contract) {
    let mut tab = contract.tab().await;
    let list = "<ul id=list></ul><div id=host></div><iframe srcdoc='<p>A'></iframe><script>
         list.innerHTML = '<li><a href=/x>Item</a></li>'.repeat(3000);
         </script>";
    tab.open(&page(list)).await;
    tab.walk().await;
    assert_eq!(tab.tab.lacks_closed_roots(LIMIT).await, Ok(true));
    tab.eval("void host.attachShadow({ mode: 'closed' })").await;
    assert_eq!(tab.tab.lacks_closed_roots(LIMIT).await, Ok(false));
    tab.tab.close().await.unwrap();
}
