//! Multiplying an instant by a constant fraction without dividing.
//!
//! `floor(x · n / d)` for 64-bit `x` takes a 128-bit division. With `m = floor(2^64 · n / d)` made once, `mulhi(x, m)` is
//! that quotient or one less, and the remainder tells which (Granlund and Montgomery, "Division by Invariant Integers
//! using Multiplication", PLDI 1994):
//!
//! ```text
//! n / d - m / 2^64 <= 2^-64, and x < 2^64      so  x · n / d - x · m / 2^64 < 1
//!                                              so  quotient in { exact, exact - 1 }
//!                                              and remainder = x · n - quotient · d < 2 · d
//! ```

/// The fraction `numerator / denominator`, at most 1, with a denominator below 2⁶³.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio {
    numerator: u64,
    denominator: u64,
    /// floor(2^64 · numerator / denominator), or 2^64 - 1 for the fraction 1.
    reciprocal: u64,
}

impl Ratio {
    /// `numerator <= denominator`, and neither `denominator` is 0 nor its double above 64 bits.
    pub(crate) const fn new(numerator: u64, denominator: u64) -> Self {
        let reciprocal = ((numerator as u128) << 64) / denominator as u128;
        let reciprocal = if reciprocal > u64::MAX as u128 { u64::MAX } else { reciprocal as u64 };
        Self { numerator, denominator, reciprocal }
    }

    /// floor(x · numerator / denominator)
    #[inline]
    pub(crate) const fn floor(self, x: u64) -> u64 {
        let (quotient, remainder) = self.divide(x);
        quotient + (remainder >= self.denominator) as u64
    }

    /// ceil(x · numerator / denominator)
    #[inline]
    pub(crate) const fn ceil(self, x: u64) -> u64 {
        if self.numerator == 0 {
            return 0;
        }
        let (quotient, remainder) = self.divide(x);
        quotient + (remainder > self.denominator) as u64 + (remainder != 0) as u64
    }

    /// A quotient that is exact or one short, and what it leaves: less than twice the denominator.
    #[inline]
    const fn divide(self, x: u64) -> (u64, u64) {
        let quotient = ((x as u128 * self.reciprocal as u128) >> 64) as u64;
        // Each product may wrap. Their difference is below 2^64 and therefore exact.
        (quotient, x.wrapping_mul(self.numerator).wrapping_sub(quotient.wrapping_mul(self.denominator)))
    }
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    /// The values around which a quotient can be one off, beside a spread of others.
    fn samples(denominator: u64) -> impl Iterator<Item = u64> {
        let edges =
            [0, 1, 2, denominator - 1, denominator, denominator + 1, 1 << 53, u64::MAX / 2, u64::MAX - 1, u64::MAX];
        let multiples = (1..64).flat_map(move |k| {
            let near = denominator.wrapping_mul(1 << k);
            [near.wrapping_sub(1), near, near.wrapping_add(1)]
        });
        // Knuth's multiplicative spread, seeded by the denominator: the same numbers on every run.
        let spread = (1..2_000_u64).map(move |i| (i.wrapping_add(denominator)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        edges.into_iter().chain(multiples).chain(spread)
    }

    #[test]
    fn floor_and_ceil_are_those_of_a_128_bit_division() {
        const YEAR: u64 = 365 * 86_400 * 1_000_000_000;
        for denominator in [1, 2, 3, 5, 7, 10, 999, 1_000_000_000, (1 << 32) - 1, 1 << 32, 142_857_143, YEAR - 1, YEAR]
        {
            for numerator in [0, 1, 2, denominator / 3, denominator / 2, denominator - 1, denominator] {
                if numerator > denominator {
                    continue;
                }
                let ratio = Ratio::new(numerator, denominator);
                for x in samples(denominator) {
                    let product = u128::from(x) * u128::from(numerator);
                    let context = format!("{x} * {numerator} / {denominator}");
                    assert_eq!(u128::from(ratio.floor(x)), product / u128::from(denominator), "{context}");
                    assert_eq!(u128::from(ratio.ceil(x)), product.div_ceil(u128::from(denominator)), "{context}");
                }
            }
        }
    }
}
