//! Finds the closed shadow roots of a document in the reply to `DOM.describeNode`. The reply can be
//! megabytes long and is nested as deeply as the document, too deeply for a recursive parser. Pure:
//! text in, ids out.

/// Returns the ids of the closed shadow roots in the reply to `DOM.describeNode`, in order.
/// Documents in frames are left out: they are described separately.
pub(super) fn closed_roots(description: &str) -> Vec<i64> {
    let bytes = description.as_bytes();
    let mut found = Vec::new();
    // For each open object: its node's id, and whether it is a closed root.
    let mut open: Vec<(Option<i64>, bool)> = Vec::new();
    // How many objects were open where the document of a frame began.
    let mut foreign: Option<usize> = None;
    let mut key: &str = "";
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => {
                if key == "contentDocument" && foreign.is_none() {
                    foreign = Some(open.len());
                }
                key = "";
                open.push((None, false));
            }
            b'}' => {
                if let Some((Some(node), true)) = open.pop()
                    && foreign.is_none()
                {
                    found.push(node);
                }
                if foreign == Some(open.len()) {
                    foreign = None;
                }
            }
            b'"' => {
                let end = string_end(bytes, at);
                let text = description.get(at + 1..end).unwrap_or_default();
                at = end;
                if bytes.get(at + 1) == Some(&b':') {
                    key = text;
                } else if key == "shadowRootType"
                    && text == "closed"
                    && let Some(top) = open.last_mut()
                {
                    top.1 = true;
                }
            }
            b'0'..=b'9' if key == "backendNodeId" => {
                let end = bytes[at..].iter().position(|byte| !byte.is_ascii_digit());
                let end = end.map_or(bytes.len(), |length| at + length);
                if let (Some(top), Ok(node)) = (open.last_mut(), description[at..end].parse()) {
                    top.0 = Some(node);
                }
                at = end - 1;
            }
            b',' | b'[' => key = if bytes[at] == b'[' { key } else { "" },
            _ => {}
        }
        at += 1;
    }
    found
}

/// Returns the end of the string that begins at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::closed_roots;

    #[test]
    fn closed_roots_of_this_document_only() {
        let text = r##"{"node":{"nodeId":0,"backendNodeId":1,"attributes":["shadowRootType","closed"],"shadowRoots":[
            {"backendNodeId":2,"nodeName":"#document-fragment","shadowRootType":"closed","children":[
              {"backendNodeId":3,"nodeValue":"a \" } { \\","shadowRoots":[{"backendNodeId":4,"shadowRootType":"open","children":[]}]}]}],
            "children":[{"backendNodeId":5,"contentDocument":{"backendNodeId":6,"children":[{"backendNodeId":7,"shadowRoots":[{"backendNodeId":8,"shadowRootType":"closed"}]}]}},
              {"backendNodeId":9,"shadowRoots":[{"backendNodeId":10,"shadowRootType":"closed"}]},
              {"backendNodeId":11,"shadowRoots":[{"backendNodeId":12,"shadowRootType":"user-agent"}]}]}}"##;
        assert_eq!(closed_roots(text), [2, 10]);
        let deep = format!(
            "{}{}{}",
            r#"{"backendNodeId":1,"children":["#.repeat(50_000),
            r#"{"backendNodeId":2,"shadowRootType":"closed"}"#,
            "]}".repeat(50_000)
        );
        assert_eq!(closed_roots(&deep), [2]);
        for broken in ["", "{", "}", "\"", "{\"backendNodeId\":", "{\"a\\"] {
            assert!(closed_roots(broken).is_empty());
        }
    }
}
