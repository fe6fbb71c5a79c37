//! Tests for the credit rules: draw order, expiry, refunds, monthly caps, rate limits, and slow clocks.
use accounting::{
    AccessTier, Account, Call, Charge, Credits, Drawdown, GrantId, GrantKind, InsufficientCredits, KeyId,
    LimitedCaller, Meter, NotRevocable, Plan, PrepaidGrant, PrepaidKind, PurchaseRefusal, RateLimitOf,
    Refusal, Tier, Timestamp, TooManyGrants, add_grant, change_plan, decide, decide_purchase,
    organization_account, refund, revoke_grant,
};

const ALLOCATED: PrepaidKind = PrepaidKind::Allocated;
const PROMOTIONAL: PrepaidKind = PrepaidKind::Promotional;
const PURCHASED: PrepaidKind = PrepaidKind::Purchased;

/// An organization's account with a simulated clock. `grants` counts the attempts to add a grant.
struct Book {
    account: Account,
    now: Timestamp,
    grants: u32,
}

impl Book {
    fn open(plan: Plan) -> Self {
        let now = moment("2026-11-20T09:00:30Z");
        Self { account: organization_account(plan, grant_id(0), now), now, grants: 0 }
    }

    /// Opens an account with metered credits up to a monthly cap.
    fn metered(monthly_cap: Credits) -> Self {
        Self::open(Plan::PayAsYouGo { monthly_cap })
    }

    /// Opens an account with purchased credits that don't expire.
    fn purchased(credits: Credits) -> Self {
        let mut book = Self::open(Plan::Enterprise);
        book.grant(PURCHASED, credits, None).expect("room");
        book
    }

    fn keep(&mut self, account: Account) {
        let totals = account.totals;
        let sum = account.left() + totals.used + totals.expired;
        assert_eq!(totals.granted, sum, "granted should equal left + used + expired: {account:?}");
        self.account = account;
    }

    fn grant(
        &mut self,
        kind: PrepaidKind,
        credits: Credits,
        days: Option<i64>,
    ) -> Result<GrantId, TooManyGrants> {
        self.grants += 1;
        let expires_at = days.map(|days| self.now.plus_days(days));
        let new = PrepaidGrant { kind, credits, expires_at };
        let change = add_grant(&self.account, grant_id(self.grants), new, self.now)?;
        self.keep(change.account);
        Ok(grant_id(self.grants))
    }

    /// Charges a purchase, which doesn't count toward rate limits.
    fn spend(&mut self, credits: Credits) -> Result<Vec<Drawdown>, PurchaseRefusal> {
        self.spend_at(credits, self.now)
    }

    fn spend_at(&mut self, credits: Credits, now: Timestamp) -> Result<Vec<Drawdown>, PurchaseRefusal> {
        let change = decide_purchase(&self.account, &Charge { name: name(), credits }, now)?;
        self.keep(change.account);
        Ok(change.draws)
    }

    /// Charges a call that costs one credit.
    fn call_at(&mut self, caller_limit: Option<(LimitedCaller, u32)>, now: Timestamp) -> Result<(), Refusal> {
        let charge = Charge { name: name(), credits: 1 };
        let call = Call { charge, caller_limit, is_for_suspended: false, is_counted: true };
        let change = decide(&self.account, &call, now).map_err(|declined| declined.reason)?;
        self.keep(change.account);
        Ok(())
    }

    fn refund(&mut self, draws: &[Drawdown]) {
        let change = refund(&self.account, draws, &name(), self.now);
        self.keep(change.account);
    }

    fn change_plan(&mut self, plan: Plan) {
        let change = change_plan(&self.account, plan);
        self.keep(change.account);
    }

    fn wait(&mut self, days: i64) {
        self.now = self.now.plus_days(days);
    }

    fn balance(&self) -> Credits {
        self.account.balance(None, self.now)
    }

    fn balance_of(&self, kind: GrantKind) -> Credits {
        self.account.balance(Some(kind), self.now)
    }

    /// Asserts that a charge of `price` is rejected because it exceeds `balance`.
    #[track_caller]
    fn assert_insufficient_credits(&mut self, balance: Credits, price: Credits, case: &str) {
        assert_eq!(
            self.spend(price),
            Err(PurchaseRefusal::InsufficientCredits(InsufficientCredits { balance, price })),
            "{case}"
        );
    }
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("valid timestamp")
}

fn name() -> Meter {
    "place_search".parse().expect("valid name")
}

fn grant_id(number: u32) -> GrantId {
    GrantId::from_random(number.to_be_bytes())
}

fn prepaid(kind: PrepaidKind) -> GrantKind {
    GrantKind::Prepaid(kind)
}

#[test]
fn grants_are_drawn_by_kind_and_then_by_expiry() {
    let mut book = Book::metered(3);
    // The grants are added in an order that differs from the draw order.
    let grants = [
        (PURCHASED, None),
        (PURCHASED, Some(10)),
        (ALLOCATED, None),
        (ALLOCATED, Some(20)),
        (ALLOCATED, Some(5)),
        (PROMOTIONAL, Some(300)),
        (PROMOTIONAL, Some(100)),
    ];
    let ids = grants.map(|(kind, days)| book.grant(kind, 3, days).expect("room"));
    let metered = GrantId::metered(book.now.day().month());
    let order = [&ids[6], &ids[5], &ids[4], &ids[3], &ids[2], &ids[1], &ids[0], &metered];
    let mut drawn = Vec::new();
    for step in 1..=12 {
        // Each charge takes 2 credits, so some charges draw on two grants.
        drawn.extend(book.spend(2).expect("enough credits"));
        assert_eq!(book.balance(), 24 - 2 * step);
    }
    drawn.dedup_by(|next, draw| {
        let is_same = next.grant == draw.grant;
        draw.credits += if is_same { next.credits } else { 0 };
        is_same
    });
    let drawn: Vec<_> = drawn.iter().map(|draw| (&draw.grant, draw.credits)).collect();
    assert_eq!(drawn, order.map(|id| (id, 3)));
}

#[test]
fn sandbox_grant_expires_after_60_days_and_is_not_renewed() {
    let mut book = Book::open(Plan::Sandbox);
    let opened = book.now;
    book.spend(1).expect("enough credits");
    book.now = opened.plus_days(60).plus_seconds(-1);
    book.spend(1).expect("the grant is live until its last second");
    assert_eq!(book.balance(), 2_000 - 2);
    book.now = opened.plus_days(60);
    for _ in 0..7 {
        book.assert_insufficient_credits(0, 1, "expired");
        book.wait(30);
    }
}

#[test]
fn expired_grant_stays_in_the_account_for_a_day() {
    let mut book = Book::purchased(1_000_000);
    book.grant(PROMOTIONAL, 10, Some(3)).expect("room");
    book.spend(4).expect("enough credits");
    let expiry = book.now.plus_days(3);
    // The columns are the time of a charge, the number of grants after the charge, and the total of expired
    // credits.
    for (now, grants, expired) in
        [(expiry, 2, 0), (expiry.plus_days(1).plus_seconds(-1), 2, 0), (expiry.plus_days(1), 1, 6)]
    {
        book.now = now;
        book.spend(1).expect("enough credits");
        assert_eq!((book.account.grants.len(), book.account.totals.expired), (grants, expired), "{now}");
    }
    assert_eq!(book.balance(), 1_000_000 - 3, "expired grants should not be drawn on");
}

#[test]
fn metered_cap_expires_monthly_and_is_granted_by_the_next_charge() {
    let mut book = Book::metered(3);
    for left in [2, 1, 0] {
        book.spend(1).expect("within the cap");
        assert_eq!(book.balance(), left);
    }
    book.now = moment("2026-11-30T23:59:59.999Z");
    book.assert_insufficient_credits(0, 1, "the last millisecond of the month");
    for (month, granted) in
        [("2026-12-01T00:00:00Z", 6), ("2027-01-01T00:00:00Z", 9), ("2027-03-15T12:00:00Z", 12)]
    {
        book.now = moment(month);
        assert_eq!(book.balance(), 3, "{month}: the cap should be available before the first charge");
        book.spend(1).expect("within the cap");
        assert_eq!((book.balance(), book.account.totals.granted), (2, granted), "{month}");
    }
    assert_eq!(book.account.totals.expired, 4, "2 credits from December and 2 from January should expire");
}

#[test]
fn insufficient_cap_is_not_drawn_partially() {
    let mut book = Book::metered(1);
    book.grant(PURCHASED, 1, None).expect("room");
    book.assert_insufficient_credits(2, 3, "1 purchased and 1 metered credit");
    book.spend(2).expect("both credits together cover the price");
    assert_eq!(book.account.left(), 0);
}

#[test]
fn organization_has_at_most_eight_live_grants() {
    let mut book = Book::open(Plan::Enterprise);
    for _ in 0..8 {
        book.grant(PROMOTIONAL, 2, None).expect("room");
    }
    assert_eq!(book.grant(PROMOTIONAL, 2, None), Err(TooManyGrants(8)));
    assert_eq!(book.account.totals.granted, 16, "a rejected grant should not add credits");
    book.spend(2).expect("enough credits");
    book.grant(PROMOTIONAL, 5, None).expect("an empty grant is removed to make room");
    assert_eq!((book.account.grants.len(), book.balance()), (8, 19));
    assert_eq!(book.grant(PROMOTIONAL, 2, None), Err(TooManyGrants(8)));
}

#[test]
fn new_grant_does_not_restore_a_used_up_cap() {
    let mut book = Book::metered(5);
    book.spend(5).expect("within the cap");
    for _ in 0..8 {
        book.grant(PURCHASED, 1, None).expect("room");
    }
    book.spend(8).expect("enough credits");
    assert_eq!((book.account.totals.granted, book.balance()), (13, 0));
    book.assert_insufficient_credits(0, 1, "all credits are used");
}

#[test]
fn only_live_prepaid_grants_can_be_revoked() {
    let mut book = Book::metered(20_000);
    let kept = book.grant(PURCHASED, 5, None).expect("room");
    let revoked = book.grant(PROMOTIONAL, 10, None).expect("room");
    book.spend(4).expect("enough credits");
    let change = revoke_grant(&book.account, &revoked, book.now).expect("the grant is live");
    assert_eq!(change.revoked(), 6);
    book.keep(change.account);
    let totals = book.account.totals;
    assert_eq!((book.account.left(), totals.used, totals.expired), (5, 4, 6));
    let expired = book.grant(PROMOTIONAL, 5, Some(1)).expect("room");
    book.wait(2);
    book.spend(9).expect("enough metered credits");
    let metered = GrantId::metered(book.now.day().month());
    for (id, why) in [
        (revoked, NotRevocable::NotLive),
        (kept, NotRevocable::NotLive),
        (expired, NotRevocable::NotLive),
        (grant_id(99), NotRevocable::NotLive),
        (metered, NotRevocable::Metered),
    ] {
        assert_eq!(revoke_grant(&book.account, &id, book.now), Err(why), "{id}");
    }
}

#[test]
fn plan_change_sets_metered_balance_to_new_cap_less_usage() {
    let mut book = Book::metered(20_000);
    book.spend(10).expect("within the cap");
    let metered = |monthly_cap| Plan::PayAsYouGo { monthly_cap };
    // The columns are the plan, the metered balance, and the totals of granted and expired credits.
    for (plan, left, granted, expired) in [
        (metered(100), 90, 20_000, 19_900),
        (Plan::Sandbox, 0, 20_000, 19_990),
        (metered(5), 0, 20_000, 19_990),
        (metered(50), 40, 20_040, 19_990),
        (Plan::Enterprise, 0, 20_040, 20_030),
    ] {
        book.change_plan(plan);
        let totals = book.account.totals;
        assert_eq!(book.balance_of(GrantKind::Metered), left, "{plan:?}");
        assert_eq!((totals.granted, totals.expired), (granted, expired), "{plan:?}");
        book.assert_insufficient_credits(left, left + 1, &format!("{plan:?}"));
    }
}

#[test]
fn refund_returns_credits_to_the_original_grants() {
    let mut book = Book::purchased(6);
    book.grant(PROMOTIONAL, 1, None).expect("room");
    let before = book.account.clone();
    let draws = book.spend(2).expect("enough credits");
    assert_eq!(draws.len(), 2);
    book.refund(&draws);
    assert_eq!((&book.account.grants, book.account.totals), (&before.grants, before.totals));
    let line = book.account.today.usage[&name()];
    assert_eq!((line.calls, line.credits), (1, 0), "the call should be counted without its credits");
}

#[test]
fn refund_restores_a_removed_grant() {
    let mut book = Book::open(Plan::Enterprise);
    book.grant(PROMOTIONAL, 2, None).expect("room");
    let draws = book.spend(2).expect("enough credits");
    for _ in 0..8 {
        book.grant(PURCHASED, 10, None).expect("room");
    }
    assert!(book.account.grants.values().all(|grant| grant.kind == prepaid(PURCHASED)));
    book.refund(&draws);
    assert_eq!(book.balance_of(prepaid(PROMOTIONAL)), 2);
    assert_eq!((book.account.totals.granted, book.account.totals.used), (82, 0));
    book.spend(82).expect("all credits can be spent");
}

#[test]
fn refund_of_an_expired_grant_is_valid_for_60_days() {
    // After one day, the grant has expired but is still in the account. After three days, a charge removes
    // it.
    for (days, is_gone) in [(1, false), (3, true)] {
        let mut book = Book::purchased(10);
        book.grant(PROMOTIONAL, 2, Some(1)).expect("room");
        let draws = book.spend(2).expect("enough credits");
        book.wait(days);
        if is_gone {
            book.spend(1).expect("enough credits");
        }
        let before = book.account.clone();
        assert_eq!(before.grants.len(), if is_gone { 1 } else { 2 });
        book.refund(&draws);
        let balance_at = |now| book.account.balance(Some(prepaid(PROMOTIONAL)), now);
        assert_eq!(balance_at(book.now), 2, "the refund should be available");
        assert_eq!(balance_at(book.now.plus_days(60).plus_seconds(-1)), 2);
        assert_eq!(balance_at(book.now.plus_days(60)), 0);
        assert_eq!(book.account.totals.granted, before.totals.granted, "a refund shouldn't be a grant");
        assert_eq!(book.account.totals.expired, before.totals.expired);
    }
}

#[test]
fn refunds_of_one_kind_share_a_grant_with_the_latest_expiry() {
    let mut book = Book::open(Plan::Enterprise);
    let charges = [(); 3].map(|()| {
        book.grant(ALLOCATED, 2, Some(1)).expect("room");
        book.spend(2).expect("enough credits")
    });
    for _ in 0..8 {
        book.grant(PURCHASED, 5, None).expect("room");
    }
    for draws in charges {
        book.wait(2);
        book.refund(&draws);
    }
    assert_eq!(book.account.grants.len(), 9, "eight added grants and one refund grant");
    let of_refunds = &book.account.grants[&GrantId::of_refunds(ALLOCATED)];
    assert_eq!((of_refunds.left, of_refunds.expires_at), (6, Some(book.now.plus_days(60))));
    // When refunded credits are spent and refunded again, they return to the refund grant, and the grant's
    // expiry doesn't change.
    let before = book.account.grants.clone();
    let draws = book.spend(2).expect("enough credits");
    book.wait(1);
    book.refund(&draws);
    assert_eq!(book.account.grants, before);
    // A new refund grant with the same ID replaces an expired refund grant.
    let draws = book.spend(2).expect("enough credits");
    book.wait(60);
    book.refund(&draws);
    assert_eq!((book.balance_of(prepaid(ALLOCATED)), book.account.totals.expired), (2, 4));
}

#[test]
fn refund_restores_only_the_refunded_part_of_a_used_up_cap() {
    let mut book = Book::metered(2);
    let draws = book.spend(2).expect("within the cap");
    book.assert_insufficient_credits(0, 1, "used up");
    book.refund(&draws);
    book.spend(2).expect("the refunded credits can be spent");
    book.assert_insufficient_credits(0, 1, "used up again");
    assert_eq!(book.account.totals.granted, 2);
}

#[test]
fn refund_after_a_lowered_cap_stays_within_the_cap() {
    let mut book = Book::metered(20_000);
    let charges = [(); 10].map(|()| book.spend(2).expect("within the cap"));
    book.change_plan(Plan::PayAsYouGo { monthly_cap: 17 });
    let expired = book.account.totals.expired;
    for (number, draws) in (1_u64..).zip(&charges) {
        book.refund(draws);
        assert_eq!(book.balance_of(GrantKind::Metered), (17 + 2 * number).saturating_sub(20));
    }
    let totals = book.account.totals;
    assert_eq!((totals.used, totals.expired), (0, expired + 3), "3 credits exceed the cap");
    assert_eq!(book.account.deductions.refunds, 20, "the bill should be reduced by all refunds");
}

#[test]
fn minute_does_not_move_back_when_a_clock_is_behind() {
    let key: KeyId = "0000000a".parse().expect("valid key ID");
    let limit = AccessTier::Organization(Tier::Sandbox).calls_per_minute();
    // The columns are the caller's limit, the limit that is reached first, and the kind of that limit.
    for (caller_limit, limit, of) in [
        (None, limit, RateLimitOf::Account),
        (Some((LimitedCaller::Key(key), 4)), 4, RateLimitOf::Key),
        (Some((LimitedCaller::People, 6)), 6, RateLimitOf::People),
    ] {
        let mut book = Book::open(Plan::Sandbox);
        let (behind, now) = (book.now, book.now.plus_seconds(120));
        for _ in 0..limit / 2 {
            book.call_at(caller_limit.clone(), now).expect("admitted");
            book.call_at(caller_limit.clone(), behind).expect("the call counts in the later minute");
        }
        for (clock, retry_after) in [(now, 30), (behind, 150)] {
            let refused = book.call_at(caller_limit.clone(), clock);
            assert_eq!(refused, Err(Refusal::RateLimited { limit, retry_after, of }));
        }
        assert_eq!((book.account.window.minute, book.account.window.calls), (now.minute(), limit));
        assert_eq!(book.account.totals.used, u64::from(limit), "rejected calls should be free");
        book.call_at(caller_limit, now.plus_seconds(30)).expect("a new minute has started");
    }
}

#[test]
fn month_does_not_move_back_when_a_clock_is_behind() {
    let mut book = Book::metered(10);
    book.spend(4).expect("enough credits in November");
    book.now = moment("2026-12-01T00:00:05Z");
    book.spend(1).expect("enough credits in December");
    let behind = moment("2026-11-30T23:59:55Z");
    book.spend_at(9, behind).expect("the charge counts in December");
    let left: Vec<_> = book.account.grants.iter().map(|(id, grant)| (id.to_string(), grant.left)).collect();
    assert_eq!(left, [("m202612".to_owned(), 0)]);
    assert_eq!(
        book.spend_at(1, behind),
        Err(PurchaseRefusal::InsufficientCredits(InsufficientCredits { balance: 0, price: 1 }))
    );
}
