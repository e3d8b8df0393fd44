//! One line of an access log, Common or Combined: which client asked, and when.
//!
//! ```text
//! 203.0.113.9 - ada [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 2326 "https://…" "Mozilla/5.0 …"
//! client             time                         request         status size  Combined only
//! ```
//!
//! Bytes, not text: a request line is whatever a client sent.

use jiff::{fmt::strtime, tz::Offset};

/// What a replay needs of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// The first column as it stands: IPv4, IPv6, a host name, anything without a space.
    pub(crate) client: &'a [u8],
    /// Whole seconds since the Unix epoch, which is all that these formats write down.
    pub(crate) second: u32,
    /// The time zone that the log is written in.
    pub(crate) offset: Offset,
}

// What JSON and most other formats fail by.
const ONE_COLUMN: &str = "it is not in Common or Combined Log Format: it has one column";
const NO_TIME: &str = "it is not in Common or Combined Log Format: it has no [time]";

/// Reads a line without its line end, or says what is wrong with it.
pub(crate) fn parse(line: &[u8]) -> Result<Line<'_>, &'static str> {
    if line.is_empty() {
        return Err("it is empty");
    }
    let (client, rest) = split(line, b" ").ok_or(ONE_COLUMN)?;
    if client.is_empty() || client.iter().any(u8::is_ascii_control) {
        return Err("the first column is not a client");
    }
    // The user's name before the time may hold spaces; the first bracket after one is the time's.
    let (_, rest) = split(rest, b" [").ok_or(NO_TIME)?;
    let (time, rest) = split(rest, b"] ").ok_or(NO_TIME)?;
    let (second, offset) = parse_time(time)?;
    answered(rest)?;
    Ok(Line { client, second, offset })
}

fn parse_time(time: &[u8]) -> Result<(u32, Offset), &'static str> {
    const NOT_A_TIME: &str = "its time is not like [17/May/2015:10:05:03 +0000]";
    let time = strtime::parse("%d/%b/%Y:%H:%M:%S %z", time).map_err(|_| NOT_A_TIME)?;
    let offset = time.offset().ok_or(NOT_A_TIME)?;
    let second = time.to_timestamp().map_err(|_| NOT_A_TIME)?.as_second();
    let second = u32::try_from(second).map_err(|_| "its time is not in the years 1970 to 2106")?;
    Ok((second, offset))
}

/// Checks `"request" status size`: a line that was cut short, or that two processes wrote at once, has no such end.
fn answered(rest: &[u8]) -> Result<(), &'static str> {
    let request = rest.strip_prefix(b"\"").ok_or("no \"request\" after the time")?;
    let end = closing_quote(request).ok_or("the request has no closing quote")?;
    let mut columns = request[end + 1..].split(|byte| *byte == b' ').skip(1);
    let is_number = |column: &[u8]| column.iter().all(u8::is_ascii_digit);
    if !columns.next().is_some_and(|status| status.len() == 3 && is_number(status)) {
        return Err("no status after the request");
    }
    if !columns.next().is_some_and(|size| size == b"-" || (!size.is_empty() && is_number(size))) {
        return Err("no size after the status");
    }
    Ok(())
}

/// Where the first quote stands that no backslash takes the meaning from.
fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    })
}

/// What stands before the first `mark`, and what after it.
fn split<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::{NO_TIME, ONE_COLUMN, parse};
    use jiff::{Timestamp, tz::offset};

    const END: &str = r#" - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 2326"#;

    fn second(time: &str) -> u32 {
        u32::try_from(time.parse::<Timestamp>().unwrap().as_second()).unwrap()
    }

    #[test]
    fn common_and_combined_lines_give_client_and_time() {
        let combined = r#" "https://example.org/a \"b\"" "Mozilla/5.0 (X11; [en] Linux)""#;
        for line in [format!("203.0.113.9{END}"), format!("203.0.113.9{END}{combined}")] {
            let line = parse(line.as_bytes()).unwrap();
            assert_eq!((line.client, line.second), (&b"203.0.113.9"[..], second("2015-05-17T10:05:03Z")));
        }
    }

    #[test]
    fn the_client_is_kept_as_it_is() {
        for client in ["203.0.113.9", "2001:db8::1", "::ffff:203.0.113.9", "crawl-66.example.org", "unix:", "b\u{fc}ro"]
        {
            assert_eq!(parse(format!("{client}{END}").as_bytes()).unwrap().client, client.as_bytes());
        }
    }

    #[test]
    fn the_time_is_what_it_is_in_utc() {
        for (time, utc, hours) in [
            ("17/May/2015:10:05:03 +0000", "2015-05-17T10:05:03Z", 0),
            ("17/May/2015:12:05:03 +0200", "2015-05-17T10:05:03Z", 2),
            ("16/May/2015:23:05:03 -1100", "2015-05-17T10:05:03Z", -11),
            ("29/Feb/2024:00:00:00 +0000", "2024-02-29T00:00:00Z", 0),
            ("31/Dec/2016:23:59:60 +0000", "2016-12-31T23:59:59Z", 0),
        ] {
            let line = format!(r#"a - - [{time}] "-" 408 -"#);
            let line = parse(line.as_bytes()).unwrap();
            assert_eq!((line.second, line.offset), (second(utc), offset(hours)), "{time}");
        }
        let half = parse(br#"a - - [17/May/2015:15:35:03 +0530] "-" 408 -"#).unwrap();
        assert_eq!((half.second, half.offset.seconds()), (second("2015-05-17T10:05:03Z"), 19_800));
    }

    #[test]
    fn what_clients_send_does_not_confuse() {
        for line in [
            &br#"a - ada lovelace [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1"#[..],
            br#"a - - [17/May/2015:10:05:03 +0000] "GET /\" 404 1 [\\" 200 1"#,
            br#"a - - [17/May/2015:10:05:03 +0000] "" 400 0"#,
            b"a - - [17/May/2015:10:05:03 +0000] \"\x16\x03\x01\xff\xfe\" 400 226",
        ] {
            assert_eq!(parse(line).unwrap().client, b"a", "{}", line.escape_ascii());
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_says_why() {
        for (line, reason) in [
            ("", "it is empty"),
            ("garbage", ONE_COLUMN),
            (r#"{"time":"2015-05-17T10:05:03Z","status":200}"#, ONE_COLUMN),
            (r#"{"time": "2015-05-17T10:05:03Z", "status": 200}"#, NO_TIME),
            (" - - [17/May/2015:10:05:03 +0000] \"-\" 408 -", "the first column is not a client"),
            ("\0\0a - - [17/May/2015:10:05:03 +0000] \"-\" 408 -", "the first column is not a client"),
            ("a - - ", NO_TIME),
            ("a - - [17/May/2015:10:0", NO_TIME),
            ("a - - [2015-05-17T10:05:03Z] \"-\" 408 -", "its time is not like [17/May/2015:10:05:03 +0000]"),
            ("a - - [30/Feb/2015:10:05:03 +0000] \"-\" 408 -", "its time is not like [17/May/2015:10:05:03 +0000]"),
            ("a - - [17/May/2015:10:05:03] \"-\" 408 -", "its time is not like [17/May/2015:10:05:03 +0000]"),
            ("a - - [17/May/1915:10:05:03 +0000] \"-\" 408 -", "its time is not in the years 1970 to 2106"),
            ("a - - [17/May/2015:10:05:03 +0000] GET /", "no \"request\" after the time"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /pres", "the request has no closing quote"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /\\\"", "the request has no closing quote"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /\"", "no status after the request"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /\" 20", "no status after the request"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /\" 200", "no size after the status"),
            ("a - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 ", "no size after the status"),
        ] {
            assert_eq!(parse(line.as_bytes()), Err(reason), "{line:?}");
        }
    }
}
