//! Tests pictures: their size and scale, and the boxes that are drawn on them, however many pixels
//! the user's screen has.

use std::io::Cursor;

use base64::Engine;
use serde_json::{Value, json};

use crate::lifetime::Theirs;
use crate::support::{Client, Reply, Site, has, is_firefox};

struct Seen {
    width: u32,
    height: u32,
    samples: usize,
    pixels: Vec<u8>,
}

impl Seen {
    fn of(reply: &Reply) -> Seen {
        let data = reply.image.as_deref().expect("an image");
        Seen::decode(&base64::engine::general_purpose::STANDARD.decode(data).unwrap())
    }

    fn decode(png: &[u8]) -> Seen {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        let samples = info.color_type.samples();
        Seen { width: info.width, height: info.height, samples, pixels }
    }

    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let at = (y as usize * self.width as usize + x as usize) * self.samples;
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    /// Whether a mark is drawn around a box: its edges have the colour of the first mark, and the
    /// pixels beside them have not. Scaled edges may lie one pixel beside.
    fn is_marked(&self, x: u32, y: u32, width: u32, height: u32) -> bool {
        let mark = |x: u32, y: u32| self.at(x, y) == [200, 30, 30];
        let near = |x: u32, y: u32, across: bool| {
            (-1..=1).any(|by: i32| {
                let (dx, dy) = if across { (by, 0) } else { (0, by) };
                mark(x.saturating_add_signed(dx), y.saturating_add_signed(dy))
            })
        };
        let (middle, right) = (y + height / 2, x + width - 1);
        let inside = mark(x + width / 2, middle);
        near(x, middle, true)
            && near(right, middle, true)
            && near(x + width / 2, y + height - 1, false)
            && !inside
            && !mark(right + 3, middle)
    }
}

/// A page with a blue button at 200,300 that is 100×60 CSS pixels large.
fn page(height: u32) -> String {
    format!(
        "<!doctype html><title>Picture</title><body style='margin:0;height:{height}px'>\
         <button style='position:absolute;left:200px;top:300px;width:100px;height:60px;\
         border:0;background:rgb(0,0,255);color:rgb(0,0,255)'>Go</button>"
    )
}

const BLUE: [u8; 3] = [0, 0, 255];
#[tokio::test(flavor = "multi_thread")]
async fn size_scale_and_boxes_are_right() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    let shot = async |arguments: Value| client.ok("take_screenshot", arguments).await;
    client.ok("browser_navigate", json!({ "url": site.page(&page(100_000)) })).await;
    let tall = shot(json!({ "full_page": true })).await;
    let seen = Seen::of(&tall);
    assert_eq!(seen.height, 16_384);
    assert_eq!((seen.at(201, 330), seen.at(150, 330)), (BLUE, [255; 3]));
    let expected = format!("shows {}x16384 of {}x100000 CSS pixels", seen.width, seen.width);
    assert_eq!(tall.text, expected);
    let marked = Seen::of(&shot(json!({ "full_page": true, "annotate": true })).await);
    assert_eq!(marked.height, 16_384);
    assert!(marked.is_marked(200, 300, 100, 60), "annotated, of a tall page");

    client.ok("browser_navigate", json!({ "url": site.page(&page(2_000)) })).await;
    for (arguments, scale) in [
        (json!({ "annotate": true }), 1.0),
        (json!({ "annotate": true, "max_width": 640 }), 0.5),
        (json!({ "annotate": true, "full_page": true, "max_width": 320 }), 0.25),
    ] {
        let marked = shot(arguments.clone()).await;
        let seen = Seen::of(&marked);
        let at = |length: f64| (length * scale).round() as u32;
        assert!(seen.is_marked(at(200.0), at(300.0), at(100.0), at(60.0)), "{arguments}");
        assert_eq!(seen.at(at(280.0), at(350.0)), BLUE, "{arguments}");
        assert_eq!(marked.text.is_empty(), scale == 1.0, "{arguments}: {}", marked.text);
    }
    let half = shot(json!({ "max_width": 640 })).await;
    assert_eq!(Seen::of(&half).size(), (640, 360));
    assert_eq!(half.text, "scaled to 640x360: 1 pixel is 2 CSS pixels");
    assert_eq!(Seen::of(&shot(json!({ "scope": "button" })).await).size(), (100, 60));
    let beyond = "<!doctype html><title>Beyond</title><body style='margin:0'>\
        <button style='position:absolute;left:-40px;top:-20px;width:100px;height:60px'>Go</button>";
    client.ok("browser_navigate", json!({ "url": site.page(beyond) })).await;
    let seen = Seen::of(&shot(json!({ "scope": "button", "annotate": true })).await);
    assert_eq!(seen.size(), (60, 40), "only what is in the document");
    let narrow = client.fails("take_screenshot", json!({ "max_width": 3 })).await;
    has(&narrow, "max_width 3 is too small for a picture; give 16 or more");
    client.close().await;
}

both_engines!(parts_that_the_browser_skips_are_drawn);
async fn parts_that_the_browser_skips_are_drawn() {
    let (site, client) = (Site::start().await, Client::shared(&[]).await);
    // The first part does not change its height with the viewport; the others are larger than they
    // are said to be, and nested.
    let part = "<section><section><p>Part</p></section></section>";
    let page = format!(
        "<!doctype html><title>Parts</title><style>section {{ content-visibility: auto; \
         contain-intrinsic-size: 300px }} p {{ height: 400px; margin: 0; background: rgb(0,0,255); \
         color: rgb(0,0,255) }} h1 {{ height: 100vh; margin: 0 }} #never {{ content-visibility: \
         hidden; height: 50px; background: rgb(0,0,0) }}</style><body style='margin:0'><h1>Parts\
         </h1><div id=never><p>Never</p></div>{}<script>changes = 0; new MutationObserver(() => \
         changes++).observe(document, {{ subtree: true, childList: true, attributes: true }})\
         </script>",
        part.repeat(20)
    );
    client.ok("browser_navigate", json!({ "url": site.page(&page) })).await;
    let shot = async |arguments: Value| Seen::of(&client.ok("take_screenshot", arguments).await);
    let seen = shot(json!({ "full_page": true })).await;
    // A scroll bar may take a part of the width.
    let (width, height) = seen.size();
    assert_eq!(height, 720 + 50 + 20 * 400);
    assert!((1250..=1280).contains(&width), "{width}");
    for part in 0..20 {
        assert_eq!(seen.at(600, 720 + 50 + part * 400 + 200), BLUE, "part {part}");
    }
    assert_eq!(seen.at(600, 745), [0; 3], "what is hidden stays hidden");
    let last = shot(json!({ "scope": "section:nth-child(20)" })).await;
    assert_eq!((last.size(), last.at(600, 200)), ((width, 400), BLUE));
    // The page is as it was.
    let now = "[scrollY, changes, getComputedStyle(document.querySelector('section')).\
        contentVisibility, document.getAnimations().length].join()";
    let now = client.ok("browser_evaluate", json!({ "expression": now })).await;
    assert_eq!(now.json(), "0,0,auto,0");
    client.close().await;
}

both_engines!(a_users_tab_on_a_screen_with_three_pixels_per_css_pixel);
async fn a_users_tab_on_a_screen_with_three_pixels_per_css_pixel() {
    let site = Site::start().await;
    let theirs = TheirScreen::start(&site.page(&page(2_000)));
    let client = Client::start(&theirs.arguments()).await;
    let tabs = client.ok("browser_tabs", json!({ "action": "list" })).await.text;
    let name = tabs.split(' ').next().unwrap().to_owned();
    let tab = async |arguments: Value| {
        let mut arguments = arguments;
        arguments["tab"] = json!(name);
        client.ok("take_screenshot", arguments).await
    };
    let info = client.ok("get_page_info", json!({ "tab": name })).await.json();
    let length = |at: usize| info["viewport"][at].as_f64().unwrap();
    assert_eq!(length(2), 3.0, "the screen has three pixels per CSS pixel");
    let view = (length(0) as u32, length(1) as u32);
    for (arguments, width, height) in [
        (json!({ "annotate": true }), view.0, view.1),
        (json!({}), view.0, view.1),
        (json!({ "full_page": true, "annotate": true }), 0, 2_000),
        (json!({ "scope": "button" }), 100, 60),
    ] {
        let shot = tab(arguments.clone()).await;
        let seen = Seen::of(&shot);
        assert_eq!(seen.height, height, "{arguments}");
        assert!(width == 0 || seen.width == width, "{arguments}: {}", seen.width);
        assert_eq!(shot.text, "", "{arguments}");
        if arguments["scope"].is_null() {
            assert_eq!(seen.at(290, 350), BLUE, "{arguments}");
            assert_eq!(seen.at(150, 330), [255; 3], "{arguments}");
            let marked = seen.is_marked(200, 300, 100, 60);
            assert_eq!(marked, arguments["annotate"] == true, "{arguments}");
        } else {
            assert_eq!(seen.at(95, 55), BLUE);
        }
    }
    client.close().await;
}

/// The user's browser on a screen with many pixels.
enum TheirScreen {
    Chromium(Theirs),
    Firefox { process: std::process::Child, address: String, _profile: tempfile::TempDir },
}

impl TheirScreen {
    fn start(page: &str) -> TheirScreen {
        if !is_firefox() {
            let arguments = ["--force-device-scale-factor=3", "--window-size=800,700"];
            return TheirScreen::Chromium(Theirs::start_with(page, "Picture", &arguments));
        }
        let profile = tempfile::tempdir().unwrap();
        let settings = "user_pref('layout.css.devPixelsPerPx', '3.0');\n\
            user_pref('remote.active-protocols', 1);\n\
            user_pref('browser.shell.checkDefaultBrowser', false);\n\
            user_pref('datareporting.policy.dataSubmissionEnabled', false);\n";
        std::fs::write(profile.path().join("user.js"), settings).unwrap();
        let mut process = std::process::Command::new(
            pagesight_browser::discover::find(pagesight_browser::Engine::Firefox).unwrap(),
        )
        .args(["--headless", "--remote-debugging-port=0", "--no-remote", "--profile"])
        .arg(profile.path())
        .arg(page)
        .env("MOZ_HEADLESS_WIDTH", "1200")
        .env("MOZ_HEADLESS_HEIGHT", "1500")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
        let lines =
            std::io::BufRead::lines(std::io::BufReader::new(process.stderr.take().unwrap()));
        let mut lines = lines.map_while(Result::ok);
        let address = lines.find_map(|line| {
            line.strip_prefix("WebDriver BiDi listening on ").map(|address| address.to_owned())
        });
        // Firefox must not wait until somebody reads what it writes.
        std::thread::spawn(move || lines.count());
        TheirScreen::Firefox { process, address: address.unwrap(), _profile: profile }
    }

    fn arguments(&self) -> Vec<&str> {
        match self {
            TheirScreen::Chromium(theirs) => vec!["--connect", &theirs.address],
            TheirScreen::Firefox { address, .. } => {
                vec!["--connect", address, "--browser", "firefox"]
            }
        }
    }
}

impl Drop for TheirScreen {
    fn drop(&mut self) {
        if let TheirScreen::Firefox { process, .. } = self {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
