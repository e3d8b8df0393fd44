//! A whole log in memory: eight bytes a request, each client's name once, in the order of time.
//!
//! A server writes a line when a request ends and stamps it with when it began, so the lines of real logs are not in the
//! order of their times. A limit decides by when requests begin: they are sorted, and those of one second keep the order
//! of their lines.

use crate::{Failure, line};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::tz::Offset;
use std::{
    borrow::Cow,
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal},
    net::Ipv6Addr,
    path::Path,
    str,
};

/// A file below this size is read before anybody would look at a progress bar.
const LARGE: u64 = 8 << 20;

/// How many of the lines that cannot be read are named.
const NAMED: usize = 5;

/// What the name of an IPv6 client ends with.
pub(crate) const NETWORK: &str = "/64";

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Seconds since the Unix epoch.
    pub(crate) second: u32,
    /// Its place in [`Log::clients`].
    pub(crate) client: u32,
}

/// What a file held.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) clients: Vec<Vec<u8>>,
    /// By time, and within a second by line.
    pub(crate) requests: Vec<Request>,
    pub(crate) lines: u64,
    /// How many lines are earlier than one above them.
    pub(crate) out_of_order: u64,
    /// By how many seconds at most.
    pub(crate) furthest_back: u32,
    pub(crate) unreadable: u64,
    /// The first of them: the line's number, and what is wrong with it.
    pub(crate) named: Vec<(u64, &'static str)>,
    /// The time zone of the first line that could be read.
    pub(crate) offset: Offset,
}

/// Reads a file that errors call `name`; `-` is the standard input.
pub(crate) fn read(path: &Path, name: &str) -> Result<Log, Failure> {
    let failed = |error: io::Error| Failure::Run(format!("cannot read {name}: {error}"));
    let log = if path == Path::new("-") {
        read_lines(io::stdin().lock())
    } else {
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size > LARGE && io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("reading {bar:40} {bytes} of {total_bytes}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(size).with_style(style);
            let log = read_lines(BufReader::new(bar.wrap_read(file)));
            bar.finish_and_clear();
            log
        } else {
            read_lines(BufReader::new(file))
        }
    };
    let log = log.map_err(failed)?;
    if log.requests.is_empty() {
        return Err(Failure::Run(match log.named.first() {
            None => format!("{name} is empty"),
            Some((number, reason)) => {
                format!("no line of {name} can be read; line {number}: {reason}")
            }
        }));
    }
    Ok(log)
}

/// Reads lines that end with LF or CRLF; the last one may end with the file.
pub(crate) fn read_lines(mut input: impl BufRead) -> io::Result<Log> {
    let mut log = Log {
        clients: Vec::new(),
        requests: Vec::new(),
        lines: 0,
        out_of_order: 0,
        furthest_back: 0,
        unreadable: 0,
        named: Vec::new(),
        offset: Offset::UTC,
    };
    let mut index = HashMap::new();
    let mut latest = 0;
    let mut buffer = Vec::new();
    while input.read_until(b'\n', &mut buffer)? > 0 {
        let text = buffer.strip_suffix(b"\n").unwrap_or(&buffer);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        log.lines += 1;
        match line::parse(text) {
            Ok(line) => {
                if log.requests.is_empty() {
                    log.offset = line.offset;
                }
                if line.second < latest {
                    log.out_of_order += 1;
                    log.furthest_back = log.furthest_back.max(latest - line.second);
                }
                latest = latest.max(line.second);
                let name = counted(line.client);
                let client = match index.get(&*name) {
                    Some(client) => *client,
                    None => {
                        // Memory ends long before 2³² names do.
                        let client = index.len() as u32;
                        index.insert(name.into_owned(), client);
                        client
                    }
                };
                log.requests.push(Request { second: line.second, client });
            }
            Err(reason) => {
                log.unreadable += 1;
                if log.named.len() < NAMED {
                    log.named.push((log.lines, reason));
                }
            }
        }
        buffer.clear();
    }
    log.requests.sort_by_key(|request| request.second);
    log.clients = vec![Vec::new(); index.len()];
    for (name, client) in index {
        log.clients[client as usize] = name;
    }
    Ok(log)
}

/// What a limit with `key = ip` tells clients apart by.
fn counted(client: &[u8]) -> Cow<'_, [u8]> {
    let Some(address) = str::from_utf8(client).ok().and_then(|text| text.parse::<Ipv6Addr>().ok()) else {
        return client.into();
    };
    let name = match address.to_ipv4_mapped() {
        Some(address) => address.to_string(),
        None => format!("{}{NETWORK}", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    };
    name.into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::{Log, NAMED, read_lines};
    use std::str;

    fn line(client: &str, second: u32) -> String {
        format!(r#"{client} - - [17/May/2015:10:05:{second:02} +0000] "GET / HTTP/1.1" 200 1"#)
    }

    fn log(text: impl AsRef<[u8]>) -> Log {
        read_lines(text.as_ref()).unwrap()
    }

    #[test]
    fn line_ends_may_be_lf_or_crlf_and_the_last_may_be_missing() {
        for text in ["A\nB\n", "A\nB", "A\r\nB\r\n", "A\r\nB"] {
            let log = log(text.replace('A', &line("a", 1)).replace('B', &line("b", 2)));
            assert_eq!((log.lines, log.requests.len(), log.unreadable), (2, 2, 0), "{text:?}");
        }
    }

    #[test]
    fn requests_are_replayed_by_time_and_within_a_second_by_line() {
        let log = log([line("a", 5), line("b", 9), line("c", 5), line("a", 2), line("d", 9)].join("\n"));
        let order: Vec<_> = log.requests.iter().map(|request| log.clients[request.client as usize][0]).collect();
        assert_eq!(order, b"aacbd");
        assert_eq!((log.out_of_order, log.furthest_back), (2, 7));
    }

    #[test]
    fn lines_that_cannot_be_read_are_named_by_number_and_the_rest_is_read() {
        let mut text = format!("{}\n\n{}\n", line("a", 1), line("b", 2)).into_bytes();
        text.extend_from_slice(b"\xff\xfe\x00garbage\n");
        text.extend_from_slice(&line("\u{e9}", 3).into_bytes()[1..]);
        text.push(b'\n');
        text.extend_from_slice(&line("c", 4).as_bytes()[..40]);
        let log = log(text);
        assert_eq!((log.lines, log.requests.len(), log.unreadable), (6, 3, 3));
        assert_eq!(log.named.iter().map(|named| named.0).collect::<Vec<_>>(), [2, 4, 6]);
        assert_eq!(log.clients[2], b"\xa9", "a name that is no text is still a client");
    }

    #[test]
    fn clients_are_told_apart_as_by_key_ip() {
        let clients =
            ["2001:db8::1", "2001:DB8::2:3:4:5", "2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.1", "fe80::1%2"];
        let log = log(clients.map(|client| line(client, 1)).join("\n"));
        let counted: Vec<_> = log.requests.iter().map(|request| request.client).collect();
        assert_eq!(counted, [0, 0, 1, 2, 2, 3]);
        let names: Vec<_> = log.clients.iter().map(|name| str::from_utf8(name).unwrap()).collect();
        assert_eq!(names, ["2001:db8::/64", "2001:db8:0:1::/64", "192.0.2.1", "fe80::1%2"]);
    }

    #[test]
    fn only_the_first_unreadable_lines_are_kept() {
        let log = log("garbage\n".repeat(1_000));
        assert_eq!((log.unreadable, log.named.len()), (1_000, NAMED));
    }
}
