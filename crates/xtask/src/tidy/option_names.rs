//! The library does not know the command line: none of its messages names an option.
//!
//! A message of a library is read in an editor, or by another program. The commands add their
//! options where that helps.

use super::sources;
use std::io;
use std::path::Path;

/// The crates below the command line that have messages for users.
const CRATES: &[&str] = &[
    "automata",
    "system",
    "promela",
    "fsp",
    "passes",
    "network",
    "engine",
    "certificate",
    "compose",
    "resy",
];

/// One finding for each text in the source that looks like an option.
pub fn check(crates: &Path, findings: &mut Vec<String>) -> io::Result<()> {
    for name in CRATES {
        for (path, text) in sources::read(&crates.join(name).join("src"))? {
            for line in lines_with_options(&text) {
                findings.push(format!("{}:{line}: a message names an option", path.display()));
            }
        }
    }
    Ok(())
}

/// The lines before the tests that have `--word` outside a comment.
fn lines_with_options(text: &str) -> Vec<usize> {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).enumerate();
    let code = code.map(|(i, line)| (i + 1, line.split("//").next().unwrap_or_default()));
    code.filter(|(_, line)| names_option(line)).map(|(number, _)| number).collect()
}

fn names_option(line: &str) -> bool {
    let after = line.split("--").skip(1);
    let mut before = line.split("--");
    after.zip(before.by_ref()).any(|(after, before)| {
        after.starts_with(|c: char| c.is_ascii_lowercase())
            && (before.is_empty() || before.ends_with([' ', '`', '"', '(']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found() {
        let text = "/// See `--engine`.\nlet x = \"leave out --dfs\"; // --dfs\nlet a = \"`--loss`\";\n\
                    let y = \"a -- b\";\nlet w = \"-->x\";\n#[cfg(test)]\nlet v = \"--x\";\n";
        assert_eq!(lines_with_options(text), [2, 3]);
    }
}
