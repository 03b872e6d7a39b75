//! Words errors of parsers: one line each, with the nearest known key.

/// The offsets of the lines of a text.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Finds the lines of a text.
    pub(crate) fn of(text: &str) -> LineStarts {
        LineStarts(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line of an offset, counted from 1.
    pub(crate) fn line_of(&self, at: usize) -> usize {
        1 + self.0.partition_point(|end| *end < at)
    }
}

/// Puts a message of the parser on one line.
pub(crate) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rewords an error about an unknown key or word so that it names the nearest known one.
pub fn with_nearest(message: &str) -> String {
    let message = one_line(message);
    let (what, expected) = match message.split_once(", expected ") {
        Some((what, expected)) if what.starts_with("unknown ") => (what, expected),
        _ => return message,
    };
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let (given, known) = (quoted(what).concat(), quoted(expected));
    let nearest = known.iter().max_by(|one, other| {
        let like = |word: &str| strsim::jaro_winkler(&given, word);
        like(one).total_cmp(&like(other))
    });
    match nearest {
        Some(nearest) if strsim::jaro_winkler(&given, nearest) > 0.7 => {
            format!("unknown `{given}`; did you mean `{nearest}`?")
        }
        _ => format!("unknown `{given}`; give one of {}", known.join(", ")),
    }
}
