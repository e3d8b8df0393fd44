//! The example as its user meets it: arguments in; report, chart, or one error out.

use crate::{Failure, limits::KINDS, run};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
};

/// A folder of one test's own, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("limiter-replay-{test}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Replays a log of `content`; the chart goes beside it.
    fn replay(&self, content: impl AsRef<[u8]>) -> Result<String, Failure> {
        self.run(&[self.file("access.log", content).to_str().unwrap()])
    }

    fn run(&self, arguments: &[&str]) -> Result<String, Failure> {
        let svg = self.0.join("replay.svg");
        run(["--svg", svg.to_str().unwrap()].iter().chain(arguments))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The number that follows `label` in the report, each time it does.
fn numbers(report: &str, label: &str) -> Vec<u64> {
    let number = |line: &str| line.split_whitespace().next()?.replace(',', "").parse().ok();
    report.lines().filter_map(|line| number(line.trim().strip_prefix(label)?)).collect()
}

#[test]
fn the_bundled_log_is_read_to_the_last_line() {
    let folder = Folder::new("bundled");
    let report = folder.run(&[]).unwrap();
    assert!(report.contains("access.log: 10,000 requests, 1,752 clients\n"), "{report}");
    assert!(report.contains("17 May 2015 10:05:00 to 20 May 2015 21:05:59 UTC\n"), "{report}");
    assert!(report.contains("9,448 of 10,000 lines came out of order, up to 59 s late"), "{report}");
    assert!(!report.contains("cannot be read"), "{report}");
    // What 10 a minute refuse, counted by a program that knows the strategies' definitions and none of this code.
    assert!(numbers(&report, "refused").starts_with(&[1_729, 1_013]), "{report}");
    assert!(numbers(&report, "allowed").starts_with(&[8_271, 8_987]), "{report}");
    assert_eq!(numbers(&report, "10.78.240.153").len(), KINDS.len(), "{report}");
}

#[test]
fn the_chart_has_a_panel_for_each_strategy() {
    let folder = Folder::new("chart");
    folder.run(&["--requests", "30", "--burst", "40"]).unwrap();
    let svg = fs::read_to_string(folder.0.join("replay.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("access.log: 10,000 requests from 1,752 clients"));
    for title in ["FixedWindow, 30 per 1m: ", "TokenBucket, 30 per 1m, burst 40: ", "requests per hour", "18 May 12:00"]
    {
        assert!(svg.contains(title), "{title}");
    }

    folder.run(&["--strategy", "tokenbucket"]).unwrap();
    let svg = fs::read_to_string(folder.0.join("replay.svg")).unwrap();
    assert!(!svg.contains("FixedWindow") && svg.contains("TokenBucket"));
}

#[test]
fn one_request_is_a_log() {
    let report = Folder::new("one").replay("::1 - - [17/May/2015:10:05:03 +0200] \"-\" 200 -").unwrap();
    assert!(report.contains("access.log: 1 request, 1 client\n"), "{report}");
    assert!(report.contains("17 May 2015 10:05:03 to 17 May 2015 10:05:03 UTC+02"), "{report}");
    assert!(report.contains("IPv6 clients are counted by their /64"), "{report}");
}

#[test]
fn defects_of_a_log_are_told_and_survived() {
    let line = r#"host.example.org - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1"#;
    let mut log = format!("{line}\r\n\r\n").into_bytes();
    log.extend_from_slice(b"\xff\xfe\r\n");
    log.extend_from_slice(&line.as_bytes()[..50]);
    let report = Folder::new("defects").replay(log).unwrap();
    assert!(report.contains("3 of 4 lines cannot be read and are left out:"), "{report}");
    for line in [
        "  line 2: it is empty\n",
        "  line 3: it is not in Common or Combined Log Format",
        "  line 4: no \"request\" after the time",
    ] {
        assert!(report.contains(line), "{report}");
    }
}

#[test]
fn a_client_cannot_write_to_the_terminal() {
    let line = "\u{9b}31m - - [17/May/2015:10:05:03 +0000] \"-\" 200 -\n";
    let report = Folder::new("escape").replay(line.repeat(11)).unwrap();
    assert!(report.contains(r"\xc2\x9b31m"), "{report}");
    assert!(!report.contains('\u{9b}'));
}

#[test]
fn whole_seconds_are_mentioned_where_they_matter() {
    let folder = Folder::new("seconds");
    for (arguments, matters) in [
        (["--window", "250ms"], true),
        (["--window", "1m"], false),
        // A burst of 1 at 10 per minute is back after 6 s, one at 600 per minute after 100 ms.
        (["--burst", "1"], false),
        (["--requests", "600"], false),
    ] {
        let report = folder.run(&arguments).unwrap();
        assert_eq!(report.contains("whole seconds"), matters, "{arguments:?}: {report}");
    }
    let report = folder.run(&["--requests", "600", "--burst", "1"]).unwrap();
    assert!(report.contains("whole seconds"), "{report}");
}

#[test]
fn help_and_errors_have_their_exit_codes() {
    let folder = Folder::new("errors");
    assert!(folder.run(&["--help"]).unwrap().contains("--requests N"));

    let fails = |arguments: &[&str]| {
        let failure = folder.run(arguments).unwrap_err();
        (failure.code(), failure.message())
    };
    let (code, message) = fails(&["--window", "10"]);
    assert_eq!((code, message.starts_with("error: --window: `10`")), (2, true), "{message}");
    let (code, message) = fails(&["no/such.log"]);
    assert_eq!((code, message.starts_with("error: cannot read no/such.log: ")), (1, true), "{message}");
    // A folder can be opened, but not read.
    let (code, message) = fails(&[folder.0.to_str().unwrap()]);
    assert_eq!((code, message.starts_with("error: cannot read ")), (1, true), "{message}");
    let (code, message) = fails(&["--svg", "no/such/folder.svg"]);
    assert_eq!((code, message.starts_with("error: cannot write no/such/folder.svg: ")), (1, true), "{message}");
}

#[test]
fn a_log_without_a_readable_line_is_an_error_that_names_it() {
    let folder = Folder::new("unreadable");
    for (content, reason) in [
        (&b""[..], "access.log is empty"),
        (b"\x1f\x8b\x08\x00\xff", "line 1: it is not in Common or Combined Log Format: it has one column"),
        (
            b"{\"time\": \"2015-05-17T10:05:03Z\"}\n",
            "line 1: it is not in Common or Combined Log Format: it has no [time]",
        ),
        (b"\n\n", "line 1: it is empty"),
    ] {
        let failure = folder.replay(content).unwrap_err();
        assert_eq!(failure.code(), 1);
        assert!(
            failure.message().contains("access.log") && failure.message().contains(reason),
            "{}",
            failure.message()
        );
        assert!(!Path::new(&folder.0.join("replay.svg")).exists());
    }
}
