//! Icons that CSS turns by quarters or mirrors: the arrow to the right that points down while its
//! section is open.

/// The four directions, each with its step to the right and down.
const DIRECTIONS: [(&str, [i8; 2]); 4] =
    [("right", [1, 0]), ("left", [-1, 0]), ("down", [0, 1]), ("up", [0, -1])];

/// Where a step to the right, and a step down, go.
pub(super) struct Turn {
    right: [i8; 2],
    down: [i8; 2],
}

impl Turn {
    /// Reads the page script's text: `0 1 -1 0`.
    pub(super) fn read(steps: &str) -> Option<Turn> {
        let steps: Vec<i8> = steps.split(' ').filter_map(|step| step.parse().ok()).collect();
        let &[a, b, c, d] = steps.as_slice() else { return None };
        let (right, down) = ([a, b], [c, d]);
        let is_known = |step| DIRECTIONS.iter().any(|(_, known)| *known == step);
        (is_known(right) && is_known(down)).then_some(Turn { right, down })
    }

    /// Returns the words of an icon's name as the turned icon has them.
    pub(super) fn applied(&self, name: &str) -> String {
        let words: Vec<&str> = name.split(' ').map(|word| self.word(word)).collect();
        words.join(" ")
    }

    fn word<'w>(&self, word: &'w str) -> &'w str {
        let lies = self.right[0] == 0;
        match word {
            "horizontal" if lies => return "vertical",
            "vertical" if lies => return "horizontal",
            _ => {}
        }
        let Some((_, [x, y])) = DIRECTIONS.iter().find(|(known, _)| *known == word) else {
            return word;
        };
        let goes = [x * self.right[0] + y * self.down[0], x * self.right[1] + y * self.down[1]];
        DIRECTIONS.iter().find(|(_, step)| *step == goes).map_or(word, |(turned, _)| *turned)
    }
}
