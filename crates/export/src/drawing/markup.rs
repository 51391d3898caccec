//! Text in SVG and HTML.

/// The text with all that means something in markup written as what it is; characters that no
/// document may contain are replaced.
pub fn escaped(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\'' => markup.push_str("&#39;"),
            '\n' | '\t' => markup.push(c),
            '\u{fffe}' | '\u{ffff}' => markup.push('\u{fffd}'),
            c if c.is_control() => markup.push('\u{fffd}'),
            c => markup.push(c),
        }
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(
            escaped("a<b && c>\"d\" 'e'"),
            "a&lt;b &amp;&amp; c&gt;&quot;d&quot; &#39;e&#39;"
        );
        assert_eq!(escaped("x\u{1b}[0m\u{0}\ny"), "x\u{fffd}[0m\u{fffd}\ny");
    }
}
