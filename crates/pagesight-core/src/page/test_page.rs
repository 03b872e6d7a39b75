//! Pages drawn as indented text, for tests: one node per line, either
//! `tag role "name" @local key=value flag` or `'text'`.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::page::Page;
use crate::wire::decode::decode;

/// Flags by the words a picture uses.
const FLAGS: [(&str, u32); 23] = [
    ("usable", 1),
    ("block", 2),
    ("scrolls", 4),
    ("aria-hidden", 16),
    ("live", 1 << 7),
    ("pressed", 1 << 14),
    ("modal", 1 << 19),
    ("inert", 1 << 27),
    ("obscured", 1 << 28),
    ("gutter", 1 << 29),
    ("by-content", 32),
    ("checked", 256),
    ("disabled", 1024),
    ("expanded", 1 << 11),
    ("collapsed", 1 << 12),
    ("selected", 1 << 13),
    ("required", 1 << 15),
    ("read-only", 1 << 17),
    ("focused", 1 << 18),
    ("in-view", 1 << 22),
    ("hidden", 1 << 24),
    ("clipped", 4 << 24),
    ("withheld", 1 << 23),
];

/// Reads a picture of a page in the document `token`.
pub(crate) fn page_in(token: &str, picture: &str) -> Page {
    decode(&wire(token, picture)).unwrap_or_else(|error| panic!("the picture is wrong: {error}"))
}

/// Reads a picture of a page.
pub(crate) fn page(picture: &str) -> Page {
    page_in("doc", picture)
}

/// The wire form of a picture.
pub(crate) fn wire(token: &str, picture: &str) -> String {
    let mut strings: Vec<String> = vec![String::new()];
    let mut index: HashMap<String, usize> = HashMap::from([(String::new(), 0)]);
    let mut string = |text: &str| {
        *index.entry(text.to_owned()).or_insert_with(|| {
            strings.push(text.to_owned());
            strings.len() - 1
        })
    };
    let (mut size, mut id, mut tag, mut role, mut name, mut flags) =
        (vec![0usize], vec![1u32], vec![string("html")], vec![0], vec![0], vec![2u32]);
    let (mut value, mut level, mut attrs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut clues, mut scrolls) = (Vec::new(), Vec::<usize>::new());
    let (mut labels, mut covered, mut views) = (Vec::new(), Vec::new(), Vec::<i64>::new());
    let mut boxes: Vec<(usize, Vec<i64>)> = Vec::new();
    let mut open: Vec<(i64, usize)> = vec![(-1, 0)];
    for line in picture.lines().filter(|line| !line.trim().is_empty()) {
        let depth = (line.len() - line.trim_start().len()) as i64;
        open.retain(|(other, _)| *other < depth);
        let at = size.len();
        open.iter().for_each(|(_, above)| size[*above] += 1);
        open.push((depth, at));
        size.push(0);
        let line = line.trim();
        if let Some(text) = line.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            id.push(0);
            tag.push(0);
            role.push(0);
            name.push(string(text));
            flags.push(0);
            continue;
        }
        let (line, quoted) = match line.split_once('"') {
            Some((before, rest)) => {
                let (inside, after) = rest.split_once('"').expect("a name ends with a quote");
                (format!("{before} {after}"), inside.to_owned())
            }
            None => (line.to_owned(), String::new()),
        };
        let mut words = line.split_whitespace();
        tag.push(string(words.next().expect("a node has a tag")));
        name.push(string(&quoted));
        let (mut local, mut node_role, mut bits) = (at as u32 + 1000, 0, 0);
        for word in words {
            if let Some(number) = word.strip_prefix('@') {
                local = number.parse().expect("a local id is a number");
            } else if let Some((key, text)) = word.split_once('=') {
                match key {
                    // How many lines further down the element is that it labels.
                    "labels" => labels
                        .extend([at, at + text.parse::<usize>().expect("a distance is a number")]),
                    // How many lines further down the element is that covers it.
                    "under" => covered
                        .extend([at, at + text.parse::<usize>().expect("a distance is a number")]),
                    // Where the document of a frame is drawn, all of it visible: x,y,width,height.
                    "view" => {
                        let side =
                            |side: &str| side.parse::<i64>().expect("a view is four numbers");
                        let sides: Vec<i64> = text.split(',').map(side).collect();
                        let (right, bottom) = (sides[0] + sides[2], sides[1] + sides[3]);
                        views.push(at as i64);
                        views.extend(&sides);
                        views.extend([sides[0], sides[1], right, bottom]);
                    }
                    // x,y,width,height.
                    "box" => {
                        let side = |side: &str| side.parse::<i64>().expect("a box is four numbers");
                        boxes.push((at, text.split(',').map(side).collect::<Vec<_>>()));
                    }
                    // `clue:kind=text`, with `+` for a space.
                    _ if key.starts_with("clue:") => {
                        let plain = |text: &str| text.replace('+', " ");
                        clues.extend([at, string(&plain(&key[5..])), string(&plain(text))]);
                    }
                    // How far it can be scrolled: up,down.
                    "room" => {
                        let side = |side: &str| side.parse::<usize>().expect("a room is numbers");
                        let mut sides = text.split(',').map(side);
                        let mut next = || sides.next().expect("a room is two numbers");
                        scrolls.extend([at, next(), next(), 0, 0]);
                    }
                    "value" => value.extend([at, string(text)]),
                    "level" => level.extend([at, text.parse().expect("a level is a number")]),
                    _ => attrs.extend([at, string(key), string(text)]),
                }
            } else if let Some((_, bit)) = FLAGS.iter().find(|(flag, _)| *flag == word) {
                bits |= bit;
            } else {
                node_role = string(word);
            }
        }
        id.push(local);
        role.push(node_role);
        flags.push(bits);
    }
    let mut rect: Vec<Value> = vec![json!(0); size.len() * 4];
    for (at, sides) in boxes {
        for (side, pixels) in sides.into_iter().enumerate() {
            rect[at * 4 + side] = json!(pixels);
        }
    }
    let newest = id.iter().copied().max();
    json!({
        "v": 1, "doc": token, "url": "http://localhost/page", "title": "Page", "viewport": [1280, 720, 1],
        "scroll": [0, 0], "size": [1280, 720], "strings": strings,
        "nodes": {"size": size, "id": id, "tag": tag, "role": role, "name": name, "box": rect, "flags": flags},
        "value": value, "level": level, "scrolls": scrolls, "attrs": attrs, "clues": clues, "labels": labels, "covered": covered, "views": views,
        "newest": newest, "elements": id.iter().filter(|id| **id > 0).count(),
    })
    .to_string()
}
