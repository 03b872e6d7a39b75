//! The only place that prints: results to standard output, everything else to standard error.

use std::io::Write;

use owo_colors::OwoColorize;
use serde_json::Value;

use crate::cli::Output;

/// A result, with exactly one line break at its end.
pub(crate) fn result(text: &str) {
    let mut out = std::io::stdout().lock();
    // A reader that went away (a pipe to `head`) is no error of ours.
    let _ = writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush());
}

/// A JSON result; for people it is laid out.
pub(crate) fn json(value: &Value, output: Output) {
    let text = match output {
        Output::Json => value.to_string(),
        Output::Text => serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
    };
    result(&text);
}

/// A part of a story, with an empty line behind it.
pub(crate) fn paragraph(text: &str) {
    result(text);
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out);
}

/// The heading of a chapter; coloured on a terminal only.
pub(crate) fn heading(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = writeln!(out, "{}\n", text.bold().cyan());
}

/// A call as an agent makes it; coloured on a terminal only.
pub(crate) fn command(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = writeln!(out, "{} {}", "→".green(), text.green());
}

/// A diff; coloured on a terminal only.
pub(crate) fn diff(text: &str) {
    let mut out = anstream::stdout().lock();
    let mut mark = ' ';
    for line in text.trim_end_matches('\n').lines() {
        // What stands below a line belongs to it.
        mark = line.chars().next().filter(|first| *first != ' ').unwrap_or(mark);
        let _ = match mark {
            '+' => writeln!(out, "{}", line.green()),
            '-' => writeln!(out, "{}", line.red()),
            '~' => writeln!(out, "{}", line.yellow()),
            _ => writeln!(out, "{}", line.dimmed()),
        };
    }
    let _ = out.flush();
}

/// Something beside the result.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// Why something could not be done.
pub(crate) fn error(text: &str) {
    note(&format!("pagesight: {text}"));
}
