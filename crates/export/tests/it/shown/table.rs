//! Parses tables.

/// Process, line and statement of every row, in order, without rows of folds.
pub fn steps(table: &str) -> Vec<String> {
    let rows = rows(table).into_iter();
    rows.filter(|(number, _)| !number.contains('-')).map(|(_, step)| step).collect()
}

/// The same with all folds expanded.
pub fn unfolded(table: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (number, step) in rows(table) {
        let Some((first, last)) = number.split_once('-') else {
            all.push(step);
            continue;
        };
        let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
        assert_eq!(first, all.len() + 1, "steps are numbered one by one");
        // `... steps 5-8 3 more times ...`
        let words: Vec<&str> = step.split_whitespace().collect();
        let (from, to) = words[2].split_once('-').unwrap_or((words[2], words[2]));
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        let times: usize = if words[3] == "once" { 1 } else { words[3].parse().unwrap() };
        let block = all[from - 1..to].to_vec();
        (0..times).for_each(|_| all.extend_from_slice(&block));
        assert_eq!(last, all.len(), "the number of steps is right");
    }
    all
}

/// The number of each row, and the text before its changes.
fn rows(table: &str) -> Vec<(String, String)> {
    let Some(header) = table.lines().next().filter(|line| line.contains("changes")) else {
        return Vec::new();
    };
    let (start, end) = (header.find("process").unwrap(), header.find("changes").unwrap());
    let row = |line: &str| {
        let chars: Vec<char> = line.chars().collect();
        let part = |range: std::ops::Range<usize>| {
            let part: String = chars.iter().skip(range.start).take(range.len()).collect();
            part.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        (part(0..start), part(start..end))
    };
    table
        .lines()
        .skip(1)
        .map(row)
        .filter(|(number, _)| number.starts_with(char::is_numeric))
        .collect()
}
