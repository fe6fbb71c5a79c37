//! `GET /v2/billing/usage`: an organization's calls and credits by day and meter.
//!
//! See `docs/decisions/0023-bills-and-usage.md`.

use accounting::{Day, DayUsage, InvalidDay, Meter, UsageLine};
use axum::extract::State;
use gateway::{ApiError, App, Caller, InvalidValue, QueryParameters, Reply, Table, Violations};
use serde::Serialize;
use store::Accounts;

/// The number of days to return if the request doesn't specify `from`.
const DEFAULT_DAYS: i64 = 30;

/// The number of complete past months for which usage is available, in addition to the current month.
const PAST_MONTHS: u32 = 13;

pub(crate) static TABLE: Table = Table {
    name: "usage",
    rows: "data",
    total: None,
    columns: || vec!["day", "meter", "calls", "credits"],
    feature: None,
};

/// One meter's usage on one day. See `UsageRow` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct UsageRow {
    day: Day,
    meter: Meter,
    #[serde(flatten)]
    line: UsageLine,
}

/// The requested range of days. Both ends are inclusive.
#[derive(Debug, PartialEq, Eq)]
struct Days {
    from: Day,
    to: Day,
}

/// Responds with the organization's usage by day and meter, oldest day first.
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    parameters: QueryParameters,
) -> Result<Reply<Vec<UsageRow>>, ApiError> {
    let Days { from, to } = Days::read(&parameters, app.clock.now().day())?;
    let usage = Accounts::new(app.dynamo.clone()).usage(caller.org(), from, to).await?;
    Ok(Reply::new(usage.ok_or_else(ApiError::internal)?.into_iter().flat_map(rows).collect()))
}

fn rows(DayUsage { day, usage }: DayUsage) -> impl Iterator<Item = UsageRow> {
    let used = usage.into_iter().filter(|(_, line)| *line != UsageLine::default());
    used.map(move |(meter, line)| UsageRow { day, meter, line })
}

impl Days {
    fn read(parameters: &QueryParameters, today: Day) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        parameters.allow(&["from", "to"], &mut violations);
        let earliest = today.first_of_month_before(PAST_MONTHS);
        let mut bound = |name: &str| {
            let day = shown_day(parameters.get(name)?, earliest, today);
            day.map_err(|InvalidValue(detail)| violations.add(format!("?{name}"), detail)).ok()
        };
        let (from, to) = (bound("from"), bound("to"));
        let to = to.unwrap_or(today);
        let from = from.unwrap_or_else(|| to.start().plus_days(1 - DEFAULT_DAYS).day().max(earliest));
        if from > to {
            violations.add("?from", format!("must not be after `to` ({to}), got \"{from}\""));
        }
        violations.or(Self { from, to })
    }
}

fn shown_day(text: &str, earliest: Day, today: Day) -> Result<Day, InvalidValue> {
    let day: Day = text.parse().map_err(|rule: InvalidDay| InvalidValue::quoting(rule, text))?;
    if (earliest..=today).contains(&day) {
        return Ok(day);
    }
    Err(InvalidValue::quoting(format!("must be a date from {earliest} to today ({today})"), text))
}
