//! A short run of the fuzzer's bodies on any toolchain: the corpus, what is near it, and seeded inputs. The same in every run.

use std::path::Path;

use limiter_fuzz::Outcome;
use limiter_fuzz::body::{attribute, duration, history};
use limiter_fuzz::seeded::Random;

/// How often each outcome came up.
#[derive(Debug, Default)]
struct Tally {
    skipped: u32,
    refused: u32,
    accepted: u32,
}

impl Tally {
    fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Skipped => &mut self.skipped,
            Outcome::Refused => &mut self.refused,
            Outcome::Accepted => &mut self.accepted,
        } += 1;
    }

    /// Inputs of one kind only would prove little.
    fn reaches_both(&self, at_least: u32) {
        assert!(self.refused >= at_least && self.accepted >= at_least, "{self:?}");
    }
}

/// The files for one body, in the order of their names.
fn corpus(body: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(body);
    let mut files: Vec<_> =
        folder.read_dir().expect("the corpus is there").map(|entry| entry.expect("it can be listed").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("it can be read")).collect()
}

fn run(body: fn(&[u8]) -> Outcome, inputs: impl Iterator<Item = Vec<u8>>) -> Tally {
    let mut tally = Tally::default();
    inputs.for_each(|input| tally.count(body(&input)));
    tally
}

#[test]
fn the_corpus_of_windows_keeps_the_promise() {
    run(duration::run, corpus("duration").into_iter()).reaches_both(5);
}

#[test]
fn the_corpus_of_attributes_keeps_the_promise() {
    run(attribute::run, corpus("attribute").into_iter()).reaches_both(10);
}

#[test]
fn windows_made_of_pieces_keep_the_promise() {
    let mut random = Random::new(1);
    run(duration::run, (0..40_000).map(|_| random.window())).reaches_both(10_000);
}

#[test]
fn windows_near_the_corpus_keep_the_promise() {
    let mut random = Random::new(2);
    let corpus = corpus("duration");
    let inputs = corpus.iter().flat_map(|file| std::iter::repeat_n(file, 200)).map(|file| random.variation(file));
    run(duration::run, inputs).reaches_both(100);
}

#[test]
fn attributes_by_decisions_keep_the_promise() {
    let mut random = Random::new(3);
    run(attribute::run, (0..10_000).map(|_| random.decisions())).reaches_both(1_000);
}

#[test]
fn attributes_near_the_corpus_keep_the_promise() {
    let mut random = Random::new(4);
    let corpus = corpus("attribute");
    let inputs = corpus.iter().flat_map(|file| std::iter::repeat_n(file, 50)).map(|file| random.variation(file));
    run(attribute::run, inputs).reaches_both(100);
}

#[test]
fn the_corpus_of_histories_keeps_the_promise() {
    run(history::run, corpus("history").into_iter()).reaches_both(10);
}

#[test]
fn histories_of_any_bytes_keep_the_promise() {
    let mut random = Random::new(5);
    run(history::run, (0..20_000).map(|_| random.bytes())).reaches_both(1_000);
}

#[test]
fn histories_near_the_corpus_keep_the_promise() {
    let mut random = Random::new(6);
    let corpus = corpus("history");
    let inputs = corpus.iter().flat_map(|file| std::iter::repeat_n(file, 200)).map(|file| random.variation(file));
    run(history::run, inputs).reaches_both(1_000);
}
