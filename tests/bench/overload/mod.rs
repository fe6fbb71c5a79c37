//! What one account item bears, and what becomes of the calls beyond it: the real steps on the real engine,
//! behind a partition with DynamoDB's limits, in a time of their own. `make simulate-load` prints only this.

mod partition;
mod report;
mod simulation;
mod timeline;

use std::time::Duration;

use self::report::{Ending, Report};
use self::simulation::{Load, simulate};

/// Calls a second that the item of a full account just bears.
const LIMIT: f64 = 400.0;

/// The loads of the table: the write units of a call, and calls a second.
const LOADS: [(f64, &[f64]); 2] = [
    (1.0, &[10.0, LIMIT, 500.0, 700.0, 850.0, 1_000.0, 1_700.0, 5_000.0]),
    (2.0, &[10.0, 350.0, LIMIT, 500.0, 800.0, 2_000.0, 5_000.0]),
];

/// Calls a second of an organization that calls as often as its tier lets it, and the aim for the writes of
/// its item that a call takes where they come to any of so many instances.
const FULL_TIER: (f64, usize, f64) = (17.0, 15, 1.4);

/// The calls that an enterprise organization has in a minute.
const TIER: u64 = 1_000;

/// Prints a row for each load, and holds the goodput at and beyond the limit to its bounds.
pub(crate) async fn print() {
    println!("\n== calls on one account, simulated\n{}", Report::HEAD);
    for (item_units, offered) in LOADS {
        let mut at_limit = f64::INFINITY;
        for offered in offered {
            let report = tell(Load { item_units, ..load(*offered) }).await;
            if *offered <= LIMIT {
                assert!(report.goodput() > 0.9 * offered || *offered < LIMIT, "{}", report.row());
                at_limit = report.goodput();
                continue;
            }
            if item_units < 2.0 || *offered > 2_000.0 {
                continue;
            }
            let share = report.goodput() / at_limit;
            assert!(share > 0.9, "{share:.2} of what is charged at the limit: {}", report.row());
            assert!(report.charge_ms(0.99) < 600.0, "instances are held up: {}", report.row());
        }
    }
    for offered in [10.0, 500.0, 2_000.0, 5_000.0] {
        let report = tell(Load { tier: true, counted: Duration::from_secs(3), ..load(offered) }).await;
        let spends_minute = offered >= 2_000.0;
        assert!(!spends_minute || report.used == TIER, "{}", report.row());
        assert!(!spends_minute || report.per_second(Ending::RateLimited) > 1_000.0, "{}", report.row());
    }
    let (offered, instances, most) = FULL_TIER;
    let counted = Duration::from_secs(60);
    let shared = Load { item_units: 1.0, instances, spread: true, counted, ..load(offered) };
    let report = tell(shared).await;
    println!("writes of a call by {instances} instances: {:.2} (aim: {most})", report.writes_of_a_call());
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
        spread: false,
        seed: number("SIMULATION_SEED").unwrap_or(1),
    }
}

/// Simulates a load, holds its report to what is always true, and prints it.
async fn tell(load: Load) -> Report {
    let report = simulate(load).await;
    let (charged, unsure) =
        (report.all(Ending::Charged), report.all(Ending::InDoubt) + report.all(Ending::Unanswered));
    assert!(
        (charged..=charged + unsure).contains(&report.used),
        "{} credits are used by {charged} calls of 1, {unsure} unsure",
        report.used
    );
    println!("{}", report.row());
    report
}
