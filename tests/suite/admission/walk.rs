//! Random steps through months of an account's life never lose or create a credit.

use std::collections::BTreeMap;

use harness::{TestOrg, World};
use shared::admission::{
    Call, Charge, PrepaidGrant, Settled, StartingPoint, Step, StepId, Unsettled, add_grant, decide,
    decide_purchase, refund, refundable,
};
use shared::dynamo::{AccountChange, Accounts};
use shared::types::{Account, AccountKey, BillingName, Draw, GrantId, PrepaidKind, RequestId, Tier};

use super::accounting::applied;
use super::assert_whole;

const STEPS: usize = 400;
const HOUR: i64 = 60 * 60;

/// One organization that lives for some months, in random steps of a fixed seed, on the engine.
struct Walk {
    world: World,
    org: TestOrg,
    accounts: Accounts,
    rng: fastrand::Rng,
    charged: Vec<Vec<Draw>>,
    done: BTreeMap<&'static str, usize>,
}

#[tokio::test]
async fn the_account_is_whole_after_every_step_of_a_long_life() {
    for seed in [1, 2] {
        let world = World::new().await;
        let org = world.org_with("org_a", Tier::PayAsYouGo, 20).await;
        world.operator.set_tier(&org.id, Tier::PayAsYouGo, Some(25)).await.expect("an organization");
        let accounts = Accounts::new(world.app.dynamo.clone());
        let rng = fastrand::Rng::with_seed(seed);
        let mut walk = Walk { world, org, accounts, rng, charged: Vec::new(), done: BTreeMap::new() };
        for _ in 0..STEPS {
            walk.step().await;
        }
        walk.end().await;
    }
}

impl Walk {
    async fn step(&mut self) {
        match self.rng.u8(0..20) {
            0..10 => {
                let name = if self.rng.bool() { "place_search" } else { "campaign_measurement" };
                let credits = self.rng.u64(0..9);
                let charge = Charge { name: named(name), credits };
                let call = self.rng.bool().then(|| Call { charge: charge.clone(), key_limit: None });
                let now = self.world.clock.now();
                let plan = |account: &Account| match &call {
                    Some(call) => decide(account, call, now).map_err(drop),
                    None => decide_purchase(account, &charge, now).map_err(drop),
                };
                if let Some(change) = self.settle("charged", plan).await {
                    assert_eq!(change.totals.used, i64::try_from(credits).expect("few"));
                    self.charged.push(change.all_draws());
                }
            }
            10..13 if !self.charged.is_empty() => {
                let draws = self.charged.swap_remove(self.rng.usize(0..self.charged.len()));
                let draws = refundable(draws, self.rng.u64(0..3));
                let now = self.world.clock.now();
                let name = named("place_search");
                let plan = |account: &Account| Ok(refund(account, &draws, &name, now));
                self.settle("refunded", plan).await.expect("refunds are not refused");
            }
            13..16 => {
                let kind = [PrepaidKind::Promotional, PrepaidKind::Allocated, PrepaidKind::Purchased]
                    [self.rng.usize(0..3)];
                let credits = self.rng.u64(1..20);
                let now = self.world.clock.now();
                let expires_at = self.rng.bool().then(|| now.plus_seconds(self.rng.i64(1..10 * 86_400)));
                let new = PrepaidGrant { kind, credits, expires_at };
                let grant_id = GrantId::from_random(self.world.app.random.bytes());
                let plan = |account: &Account| add_grant(account, grant_id.clone(), new, now).map_err(drop);
                self.settle("granted", plan).await;
            }
            16..19 => self.world.clock.advance(self.rng.i64(0..60 * HOUR) * 1_000),
            _ => {
                let tier = if self.rng.bool() { Tier::PayAsYouGo } else { Tier::Enterprise };
                self.world.operator.set_tier(&self.org.id, tier, Some(25)).await.expect("an organization");
            }
        }
    }

    /// Makes a step on the engine, and compares what is stored with what the change says.
    async fn settle(
        &mut self,
        what: &'static str,
        plan: impl Fn(&Account) -> Result<AccountChange, ()>,
    ) -> Option<AccountChange> {
        let before = self.world.marked_account(&self.org).await;
        let id = StepId::charge(RequestId::from_random(self.world.app.random.bytes()));
        let key = AccountKey::Org(self.org.id.clone());
        let step = Step { accounts: &self.accounts, random: &self.world.app.random, key: &key, id };
        let settled = step.settle(StartingPoint::Unread, |_, _| true, plan).await;
        let after = self.world.marked_account(&self.org).await;
        assert_whole(&after.account);
        match settled {
            Ok(Settled::Done { after: told, change }) => {
                assert_eq!(applied(&before.account, &change), after.account, "{what}: {change:?}");
                assert_eq!(*told, after);
                let marker = id.mark(AccountChange::default(), &before.markers, 0).marker;
                let others = before.markers.iter().filter(|(slot, _)| *slot != marker.slot);
                assert_eq!(
                    after.markers,
                    others.chain([(marker.slot, marker.after)]).collect(),
                    "one slot is taken"
                );
                *self.done.entry(what).or_default() += 1;
                if change.usage.as_ref().is_some_and(|usage| usage.rollover.is_some()) {
                    *self.done.entry("a day ended").or_default() += 1;
                }
                if change.totals.expired > 0 {
                    *self.done.entry("credits expired").or_default() += 1;
                }
                Some(*change)
            }
            Err(Unsettled::Refused((), _)) => {
                assert_eq!(before, after, "a refused step changes nothing");
                *self.done.entry("refused").or_default() += 1;
                None
            }
            other => panic!("{what}: {other:?}"),
        }
    }

    async fn end(&self) {
        let happened = ["charged", "refunded", "granted", "refused", "a day ended", "credits expired"];
        for what in happened {
            assert!(
                self.done.get(what).is_some_and(|times| *times > 3),
                "{what} hardly happened: {:?}",
                self.done
            );
        }
        let account = self.world.account(&self.org).await;
        let mut booked: i64 = account.today.usage.values().map(|line| line.credits).sum();
        let mut month = self.world.clock.now();
        // Back to before the start, at most so many months as the walk can have taken.
        for _ in 0..24 {
            let days = self.accounts.past_usage(&self.org.id, &month.day().month()).await.expect("usage");
            booked += days.iter().flat_map(|day| day.usage.values()).map(|line| line.credits).sum::<i64>();
            let first = month.day().month() + "-01T00:00:00Z";
            month = shared::types::Timestamp::parse(&first).expect("a moment").plus_seconds(-1);
        }
        assert_eq!(
            booked,
            i64::try_from(account.totals.used).expect("few"),
            "all days together are what was used"
        );
    }
}

fn named(name: &str) -> BillingName {
    name.parse().expect("a name")
}
