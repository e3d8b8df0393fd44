// The values at the end of a body, which the editions drop in another order: a limit changes nothing about that. Not
// documentation, because it is included in other files.

use limiter::{limit, test};
use std::cell::RefCell;

/// Says when it is dropped.
struct Noisy<'a>(&'static str, &'a RefCell<Vec<&'static str>>);

impl<'a> Noisy<'a> {
    fn value(&self) -> Option<u8> {
        Some(1)
    }
}

impl<'a> Drop for Noisy<'a> {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

fn plain(log: &RefCell<Vec<&'static str>>) -> Option<u8> {
    let _local = Noisy("local", log);
    match Noisy("of the match", log).value() {
        Some(_) => Noisy("of the arm", log).value(),
        None => None,
    }
}

#[limit(requests = 1, window = "1s", key = Noisy("of the key", log).value())]
fn limited(log: &RefCell<Vec<&'static str>>) -> Option<u8> {
    let _local = Noisy("local", log);
    match Noisy("of the match", log).value() {
        Some(_) => Noisy("of the arm", log).value(),
        None => None,
    }
}

#[test]
fn the_end_of_a_body_means_what_it_meant() {
    let _time = test::freeze();
    let log = RefCell::new(vec![]);
    assert_eq!(plain(&log), Some(1));
    let mut expected = vec!["of the key"];
    expected.extend(log.borrow_mut().drain(..));
    assert_eq!(expected, super::TAIL);
    assert_eq!(limited(&log), Some(1));
    assert_eq!(*log.borrow(), expected);
}
