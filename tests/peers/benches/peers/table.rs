//! Contenders that run in turns, and the table of what they took.

/// Somebody who does the thing once and says how many nanoseconds a call took.
pub(crate) struct Contender<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> f64 + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> f64 + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Runs all contenders in turns and prints a table. Ratios are to the first. Only the tables whose titles contain one of the
/// program's arguments, if there are any: `cargo bench --bench peers -- "two threads"`.
pub(crate) fn table(title: &str, rounds: usize, mut contenders: Vec<Contender<'_>>) {
    let mut wanted = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    if wanted.peek().is_some() && !wanted.any(|part| title.contains(&part)) {
        return;
    }
    // The first round brings caches, tables and clocks up; it does not count.
    for contender in &mut contenders {
        let _ = (contender.run)();
    }
    let rounds: Vec<Vec<f64>> =
        (0..rounds).map(|_| contenders.iter_mut().map(|contender| (contender.run)()).collect()).collect();

    println!("\n{title}");
    println!("{:<24}{:>10}{:>10}", "", "ns", "ratio");
    for (i, contender) in contenders.iter().enumerate() {
        let least = rounds.iter().map(|round| round[i]).fold(f64::INFINITY, f64::min);
        let ratio = median(rounds.iter().map(|round| round[i] / round[0]).collect());
        println!("{:<24}{least:>10.1}{ratio:>10.2}", contender.name);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
