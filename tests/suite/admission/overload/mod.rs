//! What one account item bears, and what becomes of the calls beyond it: the real steps on the real engine,
//! behind a partition with DynamoDB's limits, in a time of their own.
//!
//! `SIMULATION_LOADS` prints a longer table: see `make simulate-load`.

mod partition;
mod report;
mod simulation;
mod timeline;

use std::io::Write as _;
use std::time::Duration;

use self::report::{Ending, Report};
use self::simulation::{Load, simulate};

/// Calls a second that the item of a full account just bears.
const LIMIT: f64 = 400.0;

/// The loads of the longer table: the write units of a call, and calls a second.
const LOADS: [(f64, &[f64]); 2] = [
    (1.0, &[10.0, 500.0, 700.0, 850.0, 1_000.0, 1_700.0, 5_000.0]),
    (2.0, &[10.0, 350.0, 400.0, 500.0, 800.0, 2_000.0, 5_000.0]),
];

#[tokio::test]
async fn an_account_that_is_asked_for_too_much_is_charged_no_less_than_at_its_limit() {
    let at_limit = tell(simulate(load(LIMIT)).await);
    assert!(at_limit.goodput() > 0.9 * LIMIT, "{}", at_limit.row());
    for times in [2.0, 5.0] {
        let beyond = tell(simulate(load(times * LIMIT)).await);
        let share = beyond.goodput() / at_limit.goodput();
        assert!(share > 0.9, "{times} times the limit charges {share:.2} of it: {}", beyond.row());
        assert!(beyond.charge_ms(0.99) < 600.0, "instances are held up: {}", beyond.row());
    }
}

#[tokio::test]
async fn a_flood_spends_its_minute_and_is_refused_by_its_tier() {
    let minute = Load { tier: true, counted: Duration::from_secs(3), ..load(2_000.0) };
    let report = tell(simulate(minute).await);
    assert_eq!(report.used, 1_000, "the calls that an enterprise organization has in a minute");
    assert!(report.per_second(Ending::RateLimited) > 1_000.0, "{}", report.row());
}

#[tokio::test]
async fn prints_the_longer_table_for_whoever_asks() {
    if std::env::var_os("SIMULATION_LOADS").is_none() {
        return;
    }
    print(Report::HEAD);
    for (item_units, offered) in LOADS {
        for offered in offered {
            tell(simulate(Load { item_units, ..load(*offered) }).await);
        }
    }
    for offered in [10.0, 500.0, 5_000.0] {
        tell(simulate(Load { tier: true, ..load(offered) }).await);
    }
}

fn load(offered: f64) -> Load {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let seconds = number("SIMULATION_SECONDS").unwrap_or(2);
    Load {
        offered,
        tier: false,
        counted: Duration::from_secs(seconds),
        item_units: 2.0,
        instances: 1_000,
        seed: number("SIMULATION_SEED").unwrap_or(1),
    }
}

/// Holds a report to what is always true, and prints it.
fn tell(report: Report) -> Report {
    let (charged, unsure) =
        (report.all(Ending::Charged), report.all(Ending::InDoubt) + report.all(Ending::Unanswered));
    assert!(
        (charged..=charged + unsure).contains(&report.used),
        "{} credits are used by {charged} calls of 1, {unsure} unsure",
        report.used
    );
    print(&report.row());
    report
}

/// Shows with `--nocapture`, for whoever simulates.
fn print(text: &str) {
    std::io::stdout().write_all(text.as_bytes()).expect("standard output");
}
