//! Inputs without a fuzzer: the same ones in every run, made of pieces that mean something to the body.

/// `SplitMix64`, which needs no more than one number of state.
#[derive(Debug)]
pub struct Random(u64);

/// What a window is made of, and what it is not.
const PIECES: &[&str] = &[
    "1",
    "0",
    "2",
    "30",
    "365",
    "366",
    "8760",
    "999",
    "00",
    "18446744073709551616",
    "d",
    "h",
    "m",
    "s",
    "ms",
    "us",
    "ns",
    "\u{b5}s",
    "\u{3bc}s",
    "S",
    "MS",
    "sec",
    "min",
    "Hours",
    "w",
    "y",
    " ",
    "\t",
    "\u{a0}",
    "-",
    "+",
    ".",
    ",",
    "_",
    "\"",
    "\u{ff11}",
    "\u{212a}",
    "1h",
    "1m",
    "1s",
    "500ms",
];

impl Random {
    /// The row that this seed begins.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, ceiling: usize) -> usize {
        let ceiling = u64::try_from(ceiling).unwrap_or(u64::MAX);
        usize::try_from(self.next() % ceiling).unwrap_or(0)
    }

    /// Any bytes.
    pub fn bytes(&mut self) -> Vec<u8> {
        let length = self.below(96);
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// Decisions for the generators of the attribute.
    pub fn decisions(&mut self) -> Vec<u8> {
        std::iter::once(0).chain(self.bytes()).collect()
    }

    /// Something like a window. In half of them numbers and units alternate.
    pub fn window(&mut self) -> Vec<u8> {
        let mut text = String::new();
        let is_orderly = self.below(2) == 0;
        let mut unit = 10;
        for _ in 0..=self.below(6) {
            if is_orderly && unit < 17 {
                text.push_str(&self.below(100).to_string());
                text.push_str(PIECES[unit]);
                unit += 1 + self.below(3);
            } else {
                text.push_str(PIECES[self.below(PIECES.len())]);
            }
        }
        text.into_bytes()
    }

    /// The input with a few bytes of it changed, lost or repeated.
    pub fn variation(&mut self, input: &[u8]) -> Vec<u8> {
        let mut input = input.to_vec();
        for _ in 0..=self.below(3) {
            if input.is_empty() {
                break;
            }
            let at = self.below(input.len());
            match self.below(4) {
                0 => drop(input.remove(at)),
                1 => input.insert(at, input[at]),
                2 => input.truncate(at + 1),
                _ => input[at] = self.next().to_le_bytes()[0],
            }
        }
        input
    }
}
