//! The outcome in words: what was read, what was not, and per strategy how much was refused, and to whom.

use crate::{
    Replay,
    limits::{Count, Kind, Outcome},
    log::{Log, NETWORK},
};
use indicatif::HumanCount;
use std::{cmp::Reverse, time::Duration};

/// All of it, ending with a line end.
pub(crate) fn report(replay: &Replay) -> String {
    let Replay { options, log, axis, outcomes } = replay;
    let mut lines = vec![
        format!(
            "{}: {}, {}",
            options.log_name(),
            plural(log.requests.len() as u64, "request"),
            plural(log.clients.len() as u64, "client")
        ),
        axis.span(),
    ];
    lines.extend(defects(log));
    if log.clients.iter().any(|name| name.ends_with(NETWORK.as_bytes())) {
        lines.push(format!("IPv6 clients are counted by their {NETWORK}, as by `key = ip`."));
    }
    if outcomes.iter().any(|(kind, _)| refills_within_a_second(replay, kind)) {
        lines.push(
            "The log has whole seconds: requests within one count as simultaneous, and a limit that refills".into(),
        );
        lines.push("within a second may look stricter here than it would be.".into());
    }
    for (kind, outcome) in outcomes {
        lines.push(String::new());
        lines.push(format!("{} for each client", options.limit(kind)));
        lines.extend(verdict(outcome));
        lines.extend(most_refused(log, outcome, options.top));
    }
    lines.push(format!("\nchart: {}\n", options.svg.display()));
    lines.join("\n")
}

/// What the reader should know before believing the figures.
fn defects(log: &Log) -> Vec<String> {
    let mut lines = Vec::new();
    if log.out_of_order > 0 {
        lines.push(format!(
            "{} of {} came out of order, up to {} s late; replayed in the order of time.",
            HumanCount(log.out_of_order),
            plural(log.lines, "line"),
            HumanCount(log.furthest_back.into())
        ));
    }
    if log.unreadable > 0 {
        let unreadable = HumanCount(log.unreadable);
        lines.push(format!("{unreadable} of {} cannot be read and are left out:", plural(log.lines, "line")));
        lines.extend(log.named.iter().map(|(number, reason)| format!("  line {number}: {reason}")));
        let unnamed = log.unreadable - log.named.len() as u64;
        if unnamed > 0 {
            lines.push(format!("  and {} more", HumanCount(unnamed)));
        }
    }
    lines
}

fn refills_within_a_second(replay: &Replay, kind: &Kind) -> bool {
    let quota = replay.options.quota(kind);
    let limit = if kind.has_burst { quota.burst_size() } else { quota.requests() };
    let fill = quota.window().as_nanos() * u128::from(limit) / u128::from(quota.requests());
    fill <= Duration::from_secs(1).as_nanos()
}

fn verdict(outcome: &Outcome) -> [String; 2] {
    let row =
        |what, count| format!("  {what} {:>14} {:>7}", HumanCount(count).to_string(), percent(count, outcome.total));
    let mut refused = row("refused", outcome.total.refused);
    if outcome.total.refused > 0 {
        let clients = outcome.clients.iter().filter(|count| count.refused > 0).count() as u64;
        refused = format!("{refused}  of {}", plural(clients, "client"));
    }
    [row("allowed", outcome.total.allowed), refused]
}

fn most_refused(log: &Log, outcome: &Outcome, top: usize) -> Vec<String> {
    let mut clients: Vec<_> = log.clients.iter().zip(&outcome.clients).filter(|(_, count)| count.refused > 0).collect();
    // By name where they are equal, so that the same log gives the same list.
    clients.sort_by_key(|(name, count)| (Reverse(count.refused), *name));
    clients.truncate(top);
    if clients.is_empty() {
        return Vec::new();
    }
    // A name is what the log says. Escaped, it cannot say anything to the terminal.
    let clients: Vec<_> = clients.iter().map(|(name, count)| (name.escape_ascii().to_string(), count)).collect();
    let width = clients.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("most refused".len());
    let row = |name: &str, requests: &str, refused: &str| format!("    {name:width$} {requests:>12} {refused:>12}");
    let mut lines = vec![String::new(), row("most refused", "requests", "refused")];
    lines.extend(clients.iter().map(|(name, count)| {
        row(name, &HumanCount(count.total()).to_string(), &HumanCount(count.refused).to_string())
    }));
    lines
}

/// `17.3 %`; a little is never shown as nothing.
pub(crate) fn percent(part: u64, whole: Count) -> String {
    let percent = part as f64 * 100.0 / whole.total().max(1) as f64;
    if part > 0 && percent < 0.1 { "<0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

/// `1 line`, `10,000 lines`
pub(crate) fn plural(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}
