//! Maps values to positions on an axis, and places its ticks.

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The label.
    pub title: String,
    /// The scale.
    pub scale: Scale,
}

/// The mapping from values to positions.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Linear, starting at zero.
    Linear,
    /// Logarithmic.
    Log,
    /// Categories: the values 0, 1, 2, … with these names.
    Names(Vec<String>),
}

/// The range of an axis.
pub struct Range<'a> {
    scale: &'a Scale,
    low: f64,
    high: f64,
}

impl<'a> Range<'a> {
    /// The range that the values need.
    pub fn of(scale: &'a Scale, values: impl Iterator<Item = f64>) -> Range<'a> {
        let positive = |value: &f64| *scale != Scale::Log || *value > 0.0;
        let values = values.filter(|value| value.is_finite()).filter(positive);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        match scale {
            Scale::Linear => Range { scale, low: low.min(0.0), high: high.max(1.0) * 1.04 },
            Scale::Log => Range { scale, low: low / 1.4, high: high * 1.4 },
            Scale::Names(names) => {
                Range { scale, low: -0.4, high: names.len().saturating_sub(1) as f64 + 0.4 }
            }
        }
    }

    /// The position of a value: 0 at the start of the axis, 1 at its end.
    pub fn share(&self, value: f64) -> f64 {
        let place = |value: f64| match self.scale {
            Scale::Log => value.max(self.low).ln(),
            Scale::Linear | Scale::Names(_) => value,
        };
        let share = (place(value) - place(self.low)) / (place(self.high) - place(self.low));
        share.clamp(0.0, 1.0)
    }

    /// The ticks: values with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let values = match self.scale {
            Scale::Names(names) => {
                let named = names.iter().enumerate();
                return named.map(|(number, name)| (number as f64, name.clone())).collect();
            }
            Scale::Linear => self.even(),
            Scale::Log => self.powers(),
        };
        let inside = values.into_iter().filter(|v| (self.low..=self.high).contains(v));
        inside.map(|value| (value, label(value))).collect()
    }

    /// Four to nine ticks, at 1, 2 or 5 times a power of ten.
    fn even(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 8.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|s| *s >= rough);
        let step = step.unwrap_or(power);
        (0..20).map(|n| (self.low / step).ceil() * step + f64::from(n) * step).collect()
    }

    /// Powers of ten, with intermediate ticks if there are few.
    fn powers(&self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let between: &[f64] = if decades < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = if decades > 8.0 { 2 } else { 1 };
        let powers = (first..=last).step_by(every).map(|exponent| 10f64.powi(exponent));
        powers.flat_map(|power| between.iter().map(move |n| n * power)).collect()
    }
}

/// A number without superfluous digits, and with commas if it is large.
fn label(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded < 1000.0 {
        return rounded.to_string();
    }
    let digits = format!("{rounded:.0}");
    let mut text = String::new();
    for (number, digit) in digits.chars().enumerate() {
        if number > 0 && (digits.len() - number).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale, values: &[f64]) -> Vec<String> {
        let range = Range::of(scale, values.iter().copied());
        range.ticks().into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            labels(&Scale::Linear, &[3.0, 75.0]),
            ["0", "10", "20", "30", "40", "50", "60", "70"]
        );
        assert_eq!(labels(&Scale::Log, &[0.004, 20.0]), ["0.01", "0.1", "1", "10"]);
        assert_eq!(labels(&Scale::Log, &[900.0, 1500.0]), ["1,000", "2,000"]);
        assert_eq!(labels(&Scale::Names(vec!["a".to_owned()]), &[0.0]), ["a"]);
        assert_eq!(label(1_234_567.0), "1,234,567");
    }

    #[test]
    fn shares_are_in_order_and_inside() {
        for scale in [Scale::Linear, Scale::Log, Scale::Names(vec![String::new(); 3])] {
            let range = Range::of(&scale, [0.5, 1.0, 2.0].into_iter());
            let shares = [0.5, 1.0, 2.0].map(|value| range.share(value));
            assert!(shares[0] < shares[1] && shares[1] < shares[2], "{scale:?}: {shares:?}");
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        }
        // Zero has no position on a logarithmic axis.
        assert_eq!(Range::of(&Scale::Log, [0.0, 1.0].into_iter()).share(0.0), 0.0);
    }
}
