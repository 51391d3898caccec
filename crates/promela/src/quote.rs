//! Text that a model or a user has chosen, made harmless for a terminal.
//!
//! A control character in a file name, a string or a label could move the cursor, change colours or
//! retitle the window; one that changes the direction of text can make a line read as another. Neither
//! may reach a terminal as it is.

use std::borrow::Cow;
use std::fmt::Write;

/// Text for one line of a terminal: control characters, and those that end a line or change the
/// direction of the text, are written as `\u{1b}`. For file names and everything else that a
/// model or a user has chosen.
pub fn quote(text: &str) -> Cow<'_, str> {
    escape(text, steers_terminal, |c, out| out.extend(c.escape_unicode()))
}

/// Like [`quote`], for text of several lines: line ends and tabs stay.
pub fn quote_lines(text: &str) -> Cow<'_, str> {
    let is_special = |c| steers_terminal(c) && c != '\n' && c != '\t';
    escape(text, is_special, |c, out| out.extend(c.escape_unicode()))
}

/// JSON with the same meaning, in which such characters are escaped as `\u001b`. They can only be
/// inside its strings.
pub fn quote_json(text: &str) -> Cow<'_, str> {
    let is_special = |c| steers_terminal(c) && c != '\n' && c != '\t';
    escape(text, is_special, |c, out| {
        // All of them are below U+10000; writing to a string cannot fail.
        let _ = write!(out, "\\u{:04x}", u32::from(c));
    })
}

/// Source text for an excerpt, with the same number of bytes. The library that draws excerpts
/// replaces the control characters of ASCII and most of those that change direction, but not
/// the others; one of those from U+0080 on begins an escape sequence.
pub(crate) fn excerpt_text(text: &str) -> Cow<'_, str> {
    let is_special = |c| steers_terminal(c) && !c.is_ascii();
    escape(text, is_special, |c, out| {
        out.push(if c.len_utf8() == 2 { '\u{bf}' } else { '\u{fffd}' });
    })
}

fn escape(
    text: &str,
    is_special: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_special(c) {
            true => write(c, &mut out),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Control characters, separators of lines, and marks of direction.
fn steers_terminal(c: char) -> bool {
    let is_direction = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    c.is_control() || is_direction || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(quote("a\nb"), "a\\u{a}b");
        assert_eq!(quote("plain é"), "plain é");
        assert_eq!(quote_lines("a\n\tb\r\u{1b}[0m"), "a\n\tb\\u{d}\\u{1b}[0m");
        assert_eq!(quote("\u{7}\u{9b}\u{202e}\u{2066}"), "\\u{7}\\u{9b}\\u{202e}\\u{2066}");
        assert_eq!(quote_json("{\n\"\u{9b}\u{2028}\"}"), "{\n\"\\u009b\\u2028\"}");
    }

    #[test]
    fn an_excerpt_keeps_its_length() {
        let text = "a\u{9b}\u{61c}\u{200e}\u{2029}é";
        assert_eq!(excerpt_text(text).len(), text.len());
        assert!(!excerpt_text(text).contains(steers_terminal));
    }
}
