//! Simulates the load that one account item supports, and the effect of overload.
//!
//! The real code runs on the real engine with simulated time and DynamoDB's partition limits. Run this
//! benchmark with `make simulate-load`.

mod partition;
mod report;
mod simulation;
mod timeline;

use std::time::Duration;

use self::report::{Ending, Report};
use self::simulation::{Load, simulate};

/// The highest load that a full account item supports, in calls per second.
const LIMIT: f64 = 400.0;

/// Simulated loads: the write units per write of the account item, and the numbers of calls per second.
const LOADS: [(f64, &[f64]); 2] = [
    (1.0, &[10.0, LIMIT, 500.0, 700.0, 850.0, 1_000.0, 1_700.0, 5_000.0]),
    (2.0, &[10.0, 350.0, LIMIT, 500.0, 800.0, 2_000.0, 5_000.0]),
];

/// An organization that calls at its tier's limit: the calls per second, the number of instances, and the
/// target for writes per call when random instances handle the calls.
const FULL_TIER: (f64, usize, f64) = (17.0, 15, 1.4);

/// The enterprise tier's rate limit, in calls per minute.
const TIER: u64 = 1_000;

/// Prints a row for each load and checks the goodput at and above the limit.
pub(crate) async fn print() {
    println!("\n== calls on one account, simulated\n{}", Report::HEAD);
    for (item_units, offered) in LOADS {
        let mut at_limit = f64::INFINITY;
        for offered in offered {
            let report = simulate_and_check(Load { item_units, ..load(*offered) }).await;
            if *offered <= LIMIT {
                assert!(report.goodput() > 0.9 * offered || *offered < LIMIT, "{}", report.row());
                at_limit = report.goodput();
                continue;
            }
            if item_units < 2.0 || *offered > 2_000.0 {
                continue;
            }
            let share = report.goodput() / at_limit;
            assert!(share > 0.9, "goodput is {share:.2} of that at the limit: {}", report.row());
            assert!(report.charge_ms(0.99) < 600.0, "charges take too long: {}", report.row());
        }
    }
    for offered in [10.0, 500.0, 2_000.0, 5_000.0] {
        let report =
            simulate_and_check(Load { tier: true, counted: Duration::from_secs(3), ..load(offered) }).await;
        let spends_minute = offered >= 2_000.0;
        assert!(!spends_minute || report.used == TIER, "{}", report.row());
        assert!(!spends_minute || report.per_second(Ending::RateLimited) > 1_000.0, "{}", report.row());
    }
    let (offered, instances, most) = FULL_TIER;
    let counted = Duration::from_secs(60);
    let shared = Load { item_units: 1.0, instances, spread: true, counted, ..load(offered) };
    let report = simulate_and_check(shared).await;
    println!("writes per call with {instances} instances: {:.2} (target: {most})", report.writes_per_call());
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

/// Simulates a load, checks that the charged calls match the used credits, and prints the report.
async fn simulate_and_check(load: Load) -> Report {
    let report = simulate(load).await;
    let (charged, unsure) =
        (report.all(Ending::Charged), report.all(Ending::InDoubt) + report.all(Ending::Unanswered));
    assert!(
        (charged..=charged + unsure).contains(&report.used),
        "{} credits used, but {charged} calls were charged 1 credit and {unsure} are uncertain",
        report.used
    );
    println!("{}", report.row());
    report
}
