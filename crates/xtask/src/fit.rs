//! The exponent of growth: the slope of a line through points on logarithmic axes.

/// The slope by least squares; `None` unless there are at least three points with different n.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, value)| (n.ln(), value.ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let common: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let slope = common / spread;
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent() {
        let cubes = [2.0, 4.0, 8.0, 200.0].map(|n: f64| (n, 0.1 * n.powi(3)));
        assert!(exponent(&cubes).is_some_and(|e| (e - 3.0).abs() < 1e-9));
        assert_eq!(exponent(&cubes[..2]), None);
        assert_eq!(exponent(&[(2.0, 1.0); 3]), None);
    }

    #[test]
    fn noise_on_both_sides_cancels() {
        let points = [(1.0, 1.0), (10.0, 20.0), (100.0, 50.0), (1000.0, 1000.0)];
        assert!(exponent(&points).is_some_and(|e| (e - 0.94).abs() < 0.01));
    }
}
