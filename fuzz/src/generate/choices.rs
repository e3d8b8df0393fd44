//! Bytes as a row of decisions. When they are used up every decision is the first one, so the first is the simplest.
//!
//! It is this small and ours because the corpus is written in it: with a library's reading of bytes, an update would turn
//! every file into another case.

pub(crate) struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Choices { rest }
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// Less than `ceiling`, which is at least 1 and at most 256.
    pub(crate) fn below(&mut self, ceiling: usize) -> usize {
        usize::from(self.byte()) % ceiling
    }

    /// `true` once in `rarity`.
    pub(crate) fn once_in(&mut self, rarity: usize) -> bool {
        self.below(rarity) == rarity - 1
    }

    pub(crate) fn of<'b, T>(&mut self, all: &'b [T]) -> &'b T {
        &all[self.below(all.len())]
    }

    pub(crate) fn word(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }
}
