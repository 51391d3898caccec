//! Two statistics: the median of runs, and the geometric mean of ratios.

/// The median; the mean of the two middle values if their number is even. `None` without values.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// The geometric mean; `None` without values or if a value is not positive.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut sum = 0.0;
    let mut count = 0u32;
    for value in values {
        if value <= 0.0 || !value.is_finite() {
            return None;
        }
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([]), None);
        assert_eq!(median([3.0]), Some(3.0));
        assert_eq!(median([9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }

    #[test]
    fn the_geometric_mean_of_a_ratio_and_its_inverse_is_one() {
        assert_eq!(geometric_mean([]), None);
        assert_eq!(geometric_mean([2.0, 0.0]), None);
        assert_eq!(geometric_mean([2.0, f64::INFINITY]), None);
        let mean = geometric_mean([8.0, 1.0 / 8.0, 1.0, 16.0, 1.0 / 16.0]);
        assert!(mean.is_some_and(|m| (m - 1.0).abs() < 1e-12), "{mean:?}");
        assert!(geometric_mean([2.0, 8.0]).is_some_and(|m| (m - 4.0).abs() < 1e-12));
    }
}
