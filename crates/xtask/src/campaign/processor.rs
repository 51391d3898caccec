//! The processor time of this process and of the children it has waited for.

use std::time::Duration;

/// Ticks a second in `/proc`, on every Linux that we know.
const TICKS: u64 = 100;

/// The processor time so far; zero where there is no `/proc`.
pub fn used() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    Duration::from_millis(ticks(&text).unwrap_or(0) * 1000 / TICKS)
}

/// The processor time of this thread so far.
pub fn used_by_thread() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    Duration::from_millis(ticks(&text).unwrap_or(0) * 1000 / TICKS)
}

/// User and system time, own and of children: four numbers, of which the first is the twelfth after
/// the name of the program, which may have spaces.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let numbers: Vec<u64> =
        rest.split(' ').skip(11).take(4).map_while(|word| word.parse().ok()).collect();
    (numbers.len() == 4).then(|| numbers.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_numbers_are_added() {
        let stat = "17 (a) b) S 1 17 17 0 -1 4194560 9 0 0 0 100 20 3 4 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat), Some(127));
        assert_eq!(ticks("17 (a) S 1"), None);
        assert_eq!(ticks(""), None);
    }
}
