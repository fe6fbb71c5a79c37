//! A call that panics in admission after the charge returns a 500 and is refunded.

use accounting::{Product, Tier};
use harness::{World, price};
use tracing::Event;
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::assert_whole;

const SUMMARY: &str = "/v2/scenarios/campaigns/summary";

/// A log layer that panics on the low-balance event, which is logged after the charge.
struct PanicAtNotices;

/// A visitor that detects the low-balance event.
struct IsNotice(bool);

impl<S: tracing::Subscriber> Layer<S> for PanicAtNotices {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut notice = IsNotice(false);
        event.record(&mut notice);
        assert!(!notice.0, "the log layer fails");
    }
}

impl Visit for IsNotice {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0 |= field.name() == "event" && value == "credits_low";
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn std::fmt::Debug) {}
}

#[tokio::test]
async fn panic_after_the_charge_returns_500_and_is_refunded() {
    let world = World::new().await;
    let paid = price(Product::ScenarioCampaignCrud);
    let org = world.org_with("org_a", Tier::Enterprise, 2 * paid).await;
    let broken = tracing::subscriber::set_default(tracing_subscriber::registry().with(PanicAtNotices));
    assert_eq!(world.get(SUMMARY).key(&org.key).send().await.status, 200, "half of the credits remain");
    for _ in 0..3 {
        world.wire.record();
        let answer = world.get(SUMMARY).key(&org.key).send().await;
        assert_eq!((answer.error().0, answer.credits_used()), (500, 0));
        let writes = world.wire.take().iter().filter(|sent| sent.is_write()).count();
        assert_eq!(writes, 2, "expected one charge and one refund");
    }
    drop(broken);
    let account = world.account(&org).await;
    assert_whole(&account);
    assert_eq!((account.totals.used, account.left()), (paid, paid));
}
