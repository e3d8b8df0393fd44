//! Multiplying an instant by a constant fraction, and dividing it by a constant, without a division.
//!
//! `ceil(x · n / d)` for 64-bit `x` takes a 128-bit division. With `m = floor(2^64 · n / d)` made once, `mulhi(x, m)` is
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

    /// ceil(x · numerator / denominator)
    #[inline(always)]
    pub(crate) const fn ceil(self, x: u64) -> u64 {
        if self.numerator == 0 {
            return 0;
        }
        let quotient = ((x as u128 * self.reciprocal as u128) >> 64) as u64;
        // Each product may wrap. Their difference is below 2^64 and therefore exact.
        let remainder = x.wrapping_mul(self.numerator).wrapping_sub(quotient.wrapping_mul(self.denominator));
        quotient + (remainder > self.denominator) as u64 + (remainder != 0) as u64
    }
}

/// Division by a constant of instants below 2⁶³, in which a multiplier of 64 bits is exact and no correction is needed:
/// `m = floor(2^(63 + l) / d) + 1` with `2^l >= d`, and `x / d = x · m / 2^(63 + l)` (the same paper, theorem 4.2).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Divisor {
    multiplier: u64,
    shift: u32,
}

impl Divisor {
    /// `divisor` is from 1 to 2⁶³.
    pub(crate) const fn new(divisor: u64) -> Self {
        let shift = 64 - (divisor - 1).leading_zeros();
        let multiplier = (1_u128 << (63 + shift)) / divisor as u128 + 1;
        Self { multiplier: multiplier as u64, shift }
    }

    /// floor(x / divisor), for `x` below 2⁶³.
    #[inline(always)]
    pub(crate) const fn divide(self, x: u64) -> u64 {
        (((x << 1) as u128 * self.multiplier as u128) >> 64) as u64 >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::{Divisor, Ratio};

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
    fn a_product_is_that_of_a_128_bit_division() {
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
                    let exact = product.div_ceil(u128::from(denominator));
                    assert_eq!(u128::from(ratio.ceil(x)), exact, "{x} * {numerator} / {denominator}");
                }
            }
        }
    }

    #[test]
    fn a_quotient_is_that_of_the_division() {
        const YEAR: u64 = 365 * 86_400 * 1_000_000_000;
        let divisors =
            [1, 2, 3, 5, 7, 10, 641, 1_000_000_000, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, YEAR - 1, YEAR, 1 << 63];
        for divisor in divisors {
            for x in samples(divisor).map(|x| x >> 1) {
                assert_eq!(Divisor::new(divisor).divide(x), x / divisor, "{x} / {divisor}");
            }
        }
    }
}
