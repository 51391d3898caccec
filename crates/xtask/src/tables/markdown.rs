//! Markdown tables, and the format of numbers in their cells.

use super::results::CaseRuns;

/// A table with these headings; the first column is text, the others are numbers.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let rule = format!("|---|{}", "---:|".repeat(headings.len().saturating_sub(1)));
    let rows = rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect::<String>();
    format!("| {} |\n{rule}\n{rows}", headings.join(" | "))
}

/// A table with text in all columns.
pub fn text_table(headings: &[&str], rows: &[Vec<String>]) -> String {
    table(headings, rows).replacen("---:", "---", headings.len())
}

/// The cell for a missing value.
pub const NOTHING: &str = "–";

/// A number with three significant digits, or more before the decimal point.
pub fn number(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// A number, if there is one.
pub fn maybe(value: Option<f64>) -> String {
    value.map_or(NOTHING.to_owned(), number)
}

/// A count, if there is one.
pub fn count(value: Option<u64>) -> String {
    value.map_or(NOTHING.to_owned(), |count| count.to_string())
}

/// A text, if there is one.
pub fn text(value: &str) -> String {
    if value.is_empty() { NOTHING.to_owned() } else { value.to_owned() }
}

/// A ratio, with `×`.
pub fn times(ratio: Option<f64>) -> String {
    ratio.map_or(NOTHING.to_owned(), |ratio| format!("{}×", number(ratio)))
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0))
}

/// The median time of some runs in milliseconds, or why there is none.
pub fn ms(runs: &CaseRuns<'_>) -> String {
    match (runs.seconds(), runs.outcome()) {
        (Some(seconds), _) => number(seconds * 1e3),
        (None, "") => NOTHING.to_owned(),
        (None, why) => short(why),
    }
}

/// The median peak of some runs in megabytes.
pub fn mb(runs: &CaseRuns<'_>) -> String {
    maybe(runs.bytes().map(|bytes| bytes / 1e6))
}

/// A reason without its details, which `raw.csv` has.
pub fn short(why: &str) -> String {
    if why.contains("ran out") {
        return "time or memory".to_owned();
    }
    let first = why.split([';', ':', ',']).next().unwrap_or(why);
    first.trim_start_matches("the ").trim_end_matches(" was reached").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_line_for_each_row() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["b".to_owned(), "2".to_owned()]];
        let text = table(&["row", "n"], &rows);
        assert_eq!(text, "| row | n |\n|---|---:|\n| a | 1 |\n| b | 2 |\n");
        assert_eq!(text_table(&["row", "n"], &[]), "| row | n |\n|---|---|\n");
    }

    #[test]
    fn numbers_have_three_digits() {
        let texts = [0.0042, 1.0, 9.996, 12.34, 99.96, 12345.6].map(number);
        assert_eq!(texts, ["0.00", "1.00", "10.0", "12.3", "100", "12346"]);
        assert_eq!(times(Some(52.0)), "52.0×");
        assert_eq!(percent(0.125), "12.5 %");
        assert_eq!(short("the time limit was reached; all states"), "time limit");
        assert_eq!(short("`P` was the largest when time or memory ran out"), "time or memory");
        assert_eq!(ms(&CaseRuns::default()), NOTHING);
    }
}
