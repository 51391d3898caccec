//! Characters that no document may contain.
//!
//! HTML and SVG are built by `maud`, which escapes by type. Its void elements are those of HTML, so that
//! elements of SVG without content are closed: `<path …></path>`.

use maud::Markup;

/// The document as text, in which control characters are replaced. Escaping has happened before, by type: whatever
/// is not [`Markup`] is text. What is left are characters that XML forbids and HTML drops, for instance an escape
/// sequence that a model prints.
pub fn printable(document: Markup) -> String {
    let is_forbidden = |c: char| match c {
        '\n' | '\t' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    };
    let text = document.into_string();
    if text.contains(is_forbidden) { text.replace(is_forbidden, "\u{fffd}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::html;

    #[test]
    fn nothing_is_taken_for_markup() {
        let text = "a<b && c>\"d\" 'e'\u{1b}[0m\u{0}\ny";
        let escaped = "a&lt;b &amp;&amp; c&gt;&quot;d&quot; 'e'\u{fffd}[0m\u{fffd}\ny";
        let document = printable(html! { p title=(text) { (text) } });
        assert_eq!(document, format!("<p title=\"{escaped}\">{escaped}</p>"));
    }
}
