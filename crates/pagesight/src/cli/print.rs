//! The only file that prints: results to standard output, everything else to standard error.

use std::io::{BufRead, Write};

use owo_colors::OwoColorize;
use pagesight_core::pipeline::{CompactionMetrics, Stage};
use serde_json::Value;

use super::options::Output;

/// Prints a result with exactly one line break at its end.
pub(crate) fn result(text: &str) {
    let mut out = std::io::stdout().lock();
    // A closed pipe (`| head`) is not an error.
    let _ = writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush());
}

/// Prints a message and reports whether standard output is still open.
pub(crate) fn message(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()).is_ok()
}

/// Prints JSON, indented for text output.
pub(crate) fn json(value: &Value, output: Output) {
    let text = match output {
        Output::Json => value.to_string(),
        Output::Text => serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
    };
    result(&text);
}

/// Prints a paragraph and an empty line.
pub(crate) fn paragraph(text: &str) {
    result(text);
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out);
}

/// Prints a heading, coloured on a terminal.
pub(crate) fn heading(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = writeln!(out, "{}\n", text.bold().cyan());
}

/// Prints a tool call, coloured on a terminal.
pub(crate) fn command(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = writeln!(out, "{} {}", "→".green(), text.green());
}

/// Prints a diff, coloured on a terminal.
pub(crate) fn diff(text: &str) {
    let mut out = anstream::stdout().lock();
    let mut mark = ' ';
    for line in text.trim_end_matches('\n').lines() {
        // An indented line belongs to the line above.
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

/// Prints the lines of a check, coloured by their first word on a terminal.
pub(crate) fn checked(text: &str) {
    let mut out = anstream::stdout().lock();
    for line in text.trim_end_matches('\n').lines() {
        let _ = match line.split_whitespace().next() {
            Some("failed" | "no" | "changed") if !line.starts_with(' ') => {
                writeln!(out, "{}", line.bold())
            }
            Some("error") => writeln!(out, "{}", line.red()),
            Some("warning") => writeln!(out, "{}", line.yellow()),
            Some("info") => writeln!(out, "{}", line.dimmed()),
            _ => writeln!(out, "{line}"),
        };
    }
    let _ = out.flush();
}

/// Returns what the pipeline saved, one line per stage.
pub(crate) fn compaction(metrics: &CompactionMetrics) -> String {
    let m = metrics;
    let stage = |name: &str, ms: f64, what: String| format!("  {name:<26} {ms:>8.2} ms  {what}\n");
    let mut out = format!(
        "{} → {} nodes, {} → {} characters, {} → {} tokens ({:.0} % saved; compaction score {:.2})\n",
        m.total_nodes,
        m.serialized_nodes,
        m.total_chars_before,
        m.total_chars_after,
        m.tokens_before,
        m.tokens_after,
        m.token_reduction_rate * 100.0,
        m.compaction_score
    );
    out += &stage("1 signal filtering", m.stage1_time_ms, m.summary(Stage::Filter));
    out += &stage("2 structure simplification", m.stage2_time_ms, m.summary(Stage::Simplify));
    out += &stage("3 payload optimisation", m.stage3_time_ms, m.summary(Stage::Optimize));
    out
}

/// Asks a question and reports whether the answer was yes.
pub(crate) fn ask(question: &str) -> std::io::Result<bool> {
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// Prints which settings file is used, because it may be in a folder above.
pub(crate) fn settings(file: Option<&std::path::Path>) {
    if let Some(file) = file {
        note(&format!("using {}", file.display()));
    }
}

/// Prints an error.
pub(crate) fn error(text: &str) {
    note(&format!("pagesight: {text}"));
}
