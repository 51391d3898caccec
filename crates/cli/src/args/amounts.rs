//! Amounts on the command line: sizes of memory, numbers of threads, shares.

use resy_export::spin::Threshold;

/// A number of threads that makes sense.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    let n = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (1..=MOST).contains(&n) { Ok(n) } else { Err(format!("it must be from 1 to {MOST}")) }
}

/// `10%`, `200`.
pub fn parse_threshold(text: &str) -> Result<Threshold, String> {
    let wrong = || format!("`{text}` is neither a number of states nor a share like `10%`");
    match text.strip_suffix('%') {
        Some(percent) => match percent.parse() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(Threshold::Percent(percent)),
            _ => Err(wrong()),
        },
        None => text.parse().map(Threshold::States).map_err(|_| wrong()),
    }
}

/// `500M`, `2G`, `1000`.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: usize = digits.parse().map_err(|_| format!("`{text}` is not a size"))?;
    let unit = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        unit => return Err(format!("`{unit}` is not a unit: use K, M, G or T")),
    };
    number.checked_mul(unit).ok_or_else(|| format!("`{text}` is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_a_number_or_a_share() {
        assert_eq!(parse_threshold("10%").map(|t| t.of(250)), Ok(25));
        assert_eq!(parse_threshold("0%").map(|t| t.of(250)), Ok(1));
        assert_eq!(parse_threshold("7").map(|t| t.of(250)), Ok(7));
        assert!(parse_threshold("-1").is_err() && parse_threshold("101%").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("10"), Ok(10));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        assert_eq!(parse_size("3MiB"), Ok(3 << 20));
        assert!(parse_size("G").is_err());
        assert!(parse_size("1X").is_err());
    }
}
