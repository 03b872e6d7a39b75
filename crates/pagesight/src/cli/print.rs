//! The only file that prints: results to standard output, everything else to standard error.
//! Everything printed may contain text of a page, so everything passes the filter of `text::escape`
//! or, as JSON, of `text::json`.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use owo_colors::OwoColorize;
use pagesight_core::text::{escape, json};
use serde_json::Value;

use super::output::Output;
use super::stop_commands;
use crate::page_call::readable::readable;

/// Prints a result with exactly one line break at its end.
pub(crate) fn result(text: &str) {
    // A closed pipe (`| head`) is not an error.
    let _ = write_result(&escape::lines(text));
}

/// Prints lines about a page of which GitHub's runner obeys none, and reports whether standard
/// output is still open.
pub(crate) fn block(text: &str) -> bool {
    write_result(&stop_commands::wrapped(&escape::lines(text))).is_ok()
}

/// Prints one message in JSON, in one line, and reports whether standard output is still open.
pub(crate) fn json_message(value: &Value) -> bool {
    write_result(&json::to_text(value)).is_ok()
}

fn write_result(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush())
}

/// Prints a text that the program generated for other programs, unchanged.
pub(crate) fn generated(text: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        // A closed pipe (`| head`) is not an error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints data as JSON, or as lines for people.
pub(crate) fn json(value: &Value, output: Output) {
    match output {
        Output::Json => drop(write_result(&json::to_text(value))),
        Output::Text => result(&readable(value)),
    }
}

/// Prints a result as text or as JSON.
pub(crate) fn either(output: Output, text: &str, value: &Value) {
    match output {
        Output::Json => json(value, output),
        Output::Text => result(text),
    }
}

/// Prints commands for GitHub's runner. They go to the output that [`block`] uses, if that has text
/// only: the runner may read lines of the other output too early, while commands are stopped.
pub(crate) fn github_commands(lines: &[String], output: Output) {
    for line in lines {
        let _ = match output {
            Output::Text => write_result(line),
            Output::Json => writeln!(std::io::stderr().lock(), "{line}"),
        };
    }
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
    let _ = writeln!(out, "{} {}", "→".green(), escape::lines(text).green());
}

/// Prints a diff, coloured on a terminal.
pub(crate) fn diff(text: &str) {
    let text = escape::lines(text);
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

/// Prints the lines of a check, coloured by their first word on a terminal. GitHub's runner obeys
/// none of them.
pub(crate) fn checked(text: &str) {
    let coloured = |line: &str| match line.split_whitespace().next() {
        Some("failed" | "no" | "changed") if !line.starts_with(' ') => {
            format!("{}\n", line.bold())
        }
        Some("error") => format!("{}\n", line.red()),
        Some("warning") => format!("{}\n", line.yellow()),
        Some("info") => format!("{}\n", line.dimmed()),
        _ => format!("{line}\n"),
    };
    let block: String = escape::lines(text).trim_end_matches('\n').lines().map(coloured).collect();
    if !block.is_empty() {
        let mut out = anstream::stdout().lock();
        let wrapped = stop_commands::wrapped(&block);
        let _ = out.write_all(wrapped.as_bytes()).and_then(|()| out.flush());
    }
}

/// Asks a question and reports whether the answer was yes.
pub(crate) fn ask(question: &str) -> std::io::Result<bool> {
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Prints some lines, asks a question, and returns the letter that was answered: `y`, `n` or `q`.
/// After any other answer it asks again; none at the end of the input.
pub(crate) fn choose(lines: &str, question: &str) -> std::io::Result<Option<char>> {
    let _ = writeln!(std::io::stderr(), "{}", escape::lines(lines));
    loop {
        let _ = write!(std::io::stderr(), "{question}");
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Ok(Some('y')),
            "n" | "no" => return Ok(Some('n')),
            "q" | "quit" => return Ok(Some('q')),
            _ => {}
        }
    }
}

/// Whether notes and progress are left out (`--quiet`).
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out notes and progress from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes and progress are left out.
pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        to_stderr(text);
    }
}

fn to_stderr(text: &str) {
    let text = escape::lines(text);
    let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// Prints which settings file is used, because it may be in a folder above.
pub(crate) fn settings(file: Option<&std::path::Path>) {
    if let Some(file) = file {
        note(&format!("using {}", file.display()));
    }
}

/// Prints a line of a log that the user asked for.
pub(crate) fn log_line(text: &str) {
    to_stderr(text);
}

pub(crate) fn error(text: &str) {
    to_stderr(&format!("pagesight: {text}"));
}
