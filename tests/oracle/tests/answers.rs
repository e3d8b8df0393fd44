//! Every answer is the oracle's, keeps its word, and no history gets more than the bound.

use limiter_oracle::{
    Algorithm::{self, FixedWindow, TokenBucket},
    History, check_history,
    generate::{Direction, for_all, histories},
};
use proptest::{arbitrary::any, collection::vec};

fn every_history_of(algorithm: Algorithm, direction: Direction) {
    for_all(1_000, histories(algorithm, direction), |history| check_history(&history));
}

#[test]
fn a_token_bucket_answers_as_its_oracle_while_the_clock_goes_forward() {
    every_history_of(TokenBucket, Direction::Forward);
}

#[test]
fn a_token_bucket_answers_as_its_oracle_wherever_the_clock_goes() {
    every_history_of(TokenBucket, Direction::Anywhere);
}

#[test]
fn a_fixed_window_answers_as_its_oracle_while_the_clock_goes_forward() {
    every_history_of(FixedWindow, Direction::Forward);
}

#[test]
fn a_fixed_window_answers_as_its_oracle_wherever_the_clock_goes() {
    every_history_of(FixedWindow, Direction::Anywhere);
}

#[test]
fn any_bytes_are_a_history_on_which_the_core_answers_as_its_oracle() {
    for_all(1_000, vec(any::<u8>(), 0..300), |bytes| check_history(&History::from_bytes(&bytes)));
}
