//! The page on trust (`docs/trust.md`) says what it is about: the lines of code of each trusted part are
//! recounted, and the tests that it names exist.

use std::io;
use std::path::{Path, PathBuf};

/// A count on the page may differ from the code by so many parts of a hundred.
const TOLERANCE: usize = 5;

/// One finding for each number that is out of date, and for each test or model that does not exist.
pub fn check(root: &Path, findings: &mut Vec<String>) -> io::Result<()> {
    let page = std::fs::read_to_string(root.join("docs/trust.md"))?;
    let parts = parts(&page);
    if parts.is_empty() {
        findings.push("docs/trust.md: no table of trusted parts".to_owned());
    }
    for part in parts {
        let count = |paths: &[String]| -> io::Result<usize> {
            paths.iter().map(|path| lines_below(&root.join("crates").join(path))).sum()
        };
        let counted = count(&part.with)? - count(&part.without)?;
        if part.lines.abs_diff(counted) * 100 > counted * TOLERANCE {
            let (name, lines) = (&part.name, part.lines);
            findings.push(format!("docs/trust.md: {name} has {counted} lines, not {lines}"));
        }
    }
    let mut sources = String::new();
    gather(&root.join("crates"), &mut sources)?;
    for test in tests(&page) {
        let exists = match test.starts_with("models/") {
            true => root.join(&test).exists(),
            false => {
                let name = test.rsplit("::").next().unwrap_or_default();
                sources.contains(&format!("fn {name}("))
            }
        };
        if !exists {
            findings.push(format!("docs/trust.md: there is no test `{test}`"));
        }
    }
    Ok(())
}

/// A row of the table of trusted parts.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    name: String,
    /// Paths below `crates`.
    with: Vec<String>,
    /// Paths that do not count.
    without: Vec<String>,
    lines: usize,
}

/// The cells of the rows of the first table after a heading.
fn table<'p>(page: &'p str, heading: &str) -> impl Iterator<Item = Vec<&'p str>> {
    let after = page.split_once(heading).map_or("", |(_, after)| after);
    let rows = after.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
}

fn parts(page: &str) -> Vec<Part> {
    let rows = table(page, "\n## What is trusted\n");
    let part = |row: Vec<&str>| {
        let [name, paths, lines] = row[..] else { return None };
        let (with, without) = paths.split_once(" without ").unwrap_or((paths, ""));
        let lines = lines.replace(',', "").parse().ok()?;
        Some(Part { name: name.to_owned(), with: quoted(with), without: quoted(without), lines })
    };
    rows.filter_map(part).collect()
}

/// The tests and models that the page names, in the last column of its table of cracks.
fn tests(page: &str) -> Vec<String> {
    let rows = table(page, "\n## Every crack, and its test\n");
    rows.filter_map(|row| row.last().map(|cell| quoted(cell))).flatten().collect()
}

/// What stands in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The lines of code of a file, or of all files below a folder: without tests, comments and empty
/// lines.
fn lines_below(path: &Path) -> io::Result<usize> {
    let texts = match path.is_dir() {
        true => sources_below(path)?,
        false => vec![std::fs::read_to_string(path)?],
    };
    Ok(texts.iter().map(|text| n_lines(text)).sum())
}

fn n_lines(text: &str) -> usize {
    let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).map(str::trim);
    code.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The texts of the source files below a folder that are not only tests.
fn sources_below(folder: &Path) -> io::Result<Vec<String>> {
    let mut texts = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default();
        if name == "tests" || name == "tests.rs" || name == "target" {
            continue;
        }
        if path.is_dir() {
            texts.extend(sources_below(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            texts.push(std::fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

/// All source texts below a folder, one after the other.
fn gather(folder: &Path, text: &mut String) -> io::Result<()> {
    for path in entries(folder)? {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            gather(&path, text)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            text.push_str(&std::fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# T\n\n## What is trusted\n\nWords.\n\n| part | where | lines |\n|---|---|--:|\n\
        | the cut | `network/src/cut`, `a.rs` without `b` | 1,234 |\n\n## Every crack, and its test\n\n\
        | crack | test |\n|---|---|\n| one | `cli: outputs::a`, `models/x.pml` |\n| two | not yet |\n";

    #[test]
    fn the_page_is_read() {
        let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let cut = Part {
            name: "the cut".to_owned(),
            with: paths(&["network/src/cut", "a.rs"]),
            without: paths(&["b"]),
            lines: 1234,
        };
        assert_eq!(parts(PAGE), [cut]);
        assert_eq!(tests(PAGE), ["cli: outputs::a", "models/x.pml"]);
    }

    #[test]
    fn only_code_counts() {
        let text =
            "//! Idea.\n\nfn f() {\n    // Why.\n    g();\n}\n\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(n_lines(text), 3);
    }
}
