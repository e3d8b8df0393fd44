//! The time axis that all panels share: equal steps to count in, and marks that people read time by.
//!
//! Both lie on round times of the log's own time zone: a step of an hour begins on the hour, a day at its midnight.

use crate::log::{Log, Request};
use jiff::{Timestamp, tz::Offset};

/// Lengths that a step or the distance of two marks may have, in seconds: those that divide a minute, an hour, a day, and
/// then some.
const LENGTHS: &[i64] = &[
    1,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1_800,
    3_600,
    7_200,
    10_800,
    21_600,
    43_200,
    DAY,
    2 * DAY,
    7 * DAY,
    28 * DAY,
    91 * DAY,
    365 * DAY,
    3_650 * DAY,
    36_500 * DAY,
];
const DAY: i64 = 86_400;

/// A step is drawn at least some pixels wide.
const MOST_STEPS: i64 = 120;

/// The marks' labels do not touch.
const MOST_MARKS: i64 = 9;

/// From the first request to the last, in steps. Instants are seconds since the Unix epoch.
#[derive(Debug)]
pub(crate) struct Axis {
    first: i64,
    last: i64,
    start: i64,
    step: i64,
    offset: Offset,
}

impl Axis {
    /// The axis of a log with at least one request.
    pub(crate) fn of(log: &Log) -> Self {
        let second = |request: &Request| i64::from(request.second);
        Self::new(log.requests.first().map_or(0, second), log.requests.last().map_or(0, second), log.offset)
    }

    fn new(first: i64, last: i64, offset: Offset) -> Self {
        let step = length(last - first + 1, MOST_STEPS);
        Self { first, last, start: round_down(first, step, offset), step, offset }
    }

    pub(crate) fn steps(&self) -> usize {
        // Not negative: the start is before the first, and that before the last.
        ((self.last - self.start) / self.step + 1) as usize
    }

    pub(crate) fn step_of(&self, second: u32) -> usize {
        ((i64::from(second) - self.start) / self.step) as usize
    }

    /// When a step begins. The one after the last begins where the axis ends.
    pub(crate) fn at(&self, step: usize) -> i64 {
        self.start + self.step * step as i64
    }

    fn end(&self) -> i64 {
        self.at(self.steps())
    }

    /// What one step is, after "per": `hour`, `30 minutes`.
    pub(crate) fn step_length(&self) -> String {
        let (count, unit) = match self.step {
            step if step % DAY == 0 => (step / DAY, "day"),
            step if step % 3_600 == 0 => (step / 3_600, "hour"),
            step if step % 60 == 0 => (step / 60, "minute"),
            step => (step, "second"),
        };
        if count == 1 { unit.to_owned() } else { format!("{count} {unit}s") }
    }

    /// Round instants on the axis.
    pub(crate) fn marks(&self) -> Vec<i64> {
        let distance = length(self.end() - self.start, MOST_MARKS).max(self.step);
        let before = round_down(self.start - 1, distance, self.offset);
        (1..).map(|number| before + number * distance).take_while(|mark| *mark <= self.end()).collect()
    }

    /// A mark's label: no finer than the axis is long.
    pub(crate) fn label(&self, mark: i64) -> String {
        let format = match self.end() - self.start {
            ..=600 => "%H:%M:%S",
            601..=DAY => "%H:%M",
            span if span <= 10 * DAY => "%-d %b %H:%M",
            _ => "%-d %b %Y",
        };
        self.show(mark, format)
    }

    /// From when to when, and in which time zone.
    pub(crate) fn span(&self) -> String {
        let format = "%-d %B %Y %H:%M:%S";
        let zone = if self.offset == Offset::UTC { String::new() } else { self.offset.to_string() };
        format!("{} to {} UTC{zone}", self.show(self.first, format), self.show(self.last, format))
    }

    fn show(&self, second: i64, format: &str) -> String {
        // Seconds of a `u32` and an axis' length are far inside of what a timestamp holds.
        let instant = Timestamp::from_second(second).unwrap_or_default();
        self.offset.to_datetime(instant).strftime(format).to_string()
    }
}

/// The shortest length of which at most `most` cover the span.
fn length(span: i64, most: i64) -> i64 {
    LENGTHS.iter().copied().find(|length| *length * most >= span).unwrap_or(36_500 * DAY)
}

/// The last multiple of `length` on the clocks of a zone that is not after `second`.
fn round_down(second: i64, length: i64, offset: Offset) -> i64 {
    let local = second + i64::from(offset.seconds());
    second - local.rem_euclid(length)
}

#[cfg(test)]
mod tests {
    use super::{Axis, DAY};
    use jiff::{
        Timestamp,
        tz::{Offset, offset},
    };

    fn axis(first: &str, last: &str, offset: Offset) -> Axis {
        let second = |time: &str| time.parse::<Timestamp>().unwrap().as_second();
        Axis::new(second(first), second(last), offset)
    }

    fn labels(axis: &Axis) -> Vec<String> {
        axis.marks().into_iter().map(|mark| axis.label(mark)).collect()
    }

    #[test]
    fn steps_and_marks_are_round_times() {
        let axis = axis("2015-05-17T10:05:03Z", "2015-05-20T21:05:59Z", Offset::UTC);
        assert_eq!((axis.step_length().as_str(), axis.steps()), ("hour", 84));
        assert_eq!(axis.span(), "17 May 2015 10:05:03 to 20 May 2015 21:05:59 UTC");
        assert_eq!(labels(&axis).first().unwrap(), "17 May 12:00");
        assert_eq!(labels(&axis).len(), 7);
    }

    #[test]
    fn they_are_round_where_the_log_was_written() {
        let axis = axis("2015-05-17T10:05:00Z", "2015-05-17T15:00:00Z", Offset::from_seconds(19_800).unwrap());
        assert_eq!(axis.span(), "17 May 2015 15:35:00 to 17 May 2015 20:30:00 UTC+05:30");
        assert_eq!(labels(&axis), ["16:00", "17:00", "18:00", "19:00", "20:00"]);
    }

    #[test]
    fn every_request_has_a_step_and_no_span_is_too_long_or_too_short() {
        for span in [0, 1, 59, 3_600, DAY, 400 * DAY, i64::from(u32::MAX)] {
            for zone in [-11, 0, 14] {
                let axis = Axis::new(0, span, offset(zone));
                let last = axis.step_of(u32::try_from(span).unwrap());
                assert!(last < axis.steps() && axis.steps() <= 121, "{span} {axis:?}");
                assert!(axis.at(last) <= span && span < axis.at(last + 1));
                assert!(axis.marks().len() <= 11, "{span} {:?}", labels(&axis));
            }
        }
    }
}
