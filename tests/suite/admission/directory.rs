//! The directory of organizations: written with each, read page by page, and never a scan.

use aws_sdk_dynamodb::types::AttributeValue;
use harness::World;
use shared::types::{OrgId, Tier};

fn id(name: &str) -> OrgId {
    name.parse().expect("an id")
}

async fn listed(world: &World, after: Option<&str>, limit: usize) -> (Vec<String>, bool) {
    let page = world.operator.organizations(after.map(id).as_ref(), limit).await.expect("the engine answers");
    (page.organizations.iter().map(|listed| listed.org.to_string()).collect(), page.has_more)
}

#[tokio::test]
async fn an_organization_is_entered_in_the_transaction_that_creates_it() {
    let world = World::new().await;
    world.wire.record();
    world.org_with("org_a", Tier::Sandbox, 0).await;
    let sent = world.wire.take();
    let items = sent[0].body["TransactItems"].as_array().expect("a transaction");
    assert_eq!((sent[0].operation.as_str(), items.len()), ("TransactWriteItems", 3), "and its first grant");
    let page = world.operator.organizations(None, 10).await.expect("the engine answers");
    let listed = &page.organizations[0];
    assert_eq!((listed.org.as_str(), listed.created_at), ("org_a", Some(world.clock.now())));
    assert_eq!((listed.account.left(), page.has_more), (2_000, false));
}

#[tokio::test]
async fn pages_follow_each_other_and_cost_a_query_and_a_batch_each() {
    let world = World::new().await;
    for number in 0..7 {
        world.org_with(&format!("org_{number}"), Tier::Enterprise, 0).await;
    }
    let mut seen = Vec::new();
    let mut after: Option<String> = None;
    loop {
        world.wire.record();
        let (page, has_more) = listed(&world, after.as_deref(), 3).await;
        let operations: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
        assert_eq!(operations, ["Query", "BatchGetItem"]);
        after = page.last().cloned();
        seen.extend(page);
        if !has_more {
            break;
        }
    }
    assert_eq!(seen, (0..7).map(|number| format!("org_{number}")).collect::<Vec<_>>());
    assert!(!listed(&world, None, 7).await.1, "a full page is the last when nothing follows");
}

#[tokio::test]
async fn an_organization_of_before_is_entered_by_the_next_command_that_writes_it() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    world.org("org_b").await;
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let removal = world.engine().delete_item().table_name("marquee-accounts");
    removal.key("pk", text("directory")).key("sk", text("org_a")).send().await.expect("it is removed");
    assert_eq!(listed(&world, None, 10).await.0, ["org_b"]);
    let before = world.account(&org).await;
    assert!(!world.operator.resume(&org.id).await.expect("the engine answers"));
    assert_eq!(
        world.account(&org).await,
        before,
        "a resumption of one that is not suspended does nothing else"
    );
    assert_eq!(listed(&world, None, 10).await.0, ["org_a", "org_b"]);
    let page = world.operator.organizations(None, 1).await.expect("the engine answers");
    assert_eq!((page.organizations[0].created_at, page.has_more), (None, true));
    // One that was created here keeps its moment.
    let last = world.operator.organizations(Some(&org.id), 1).await.expect("the engine answers");
    world.operator.suspend(&id("org_b")).await.expect("the engine answers");
    let again = world.operator.organizations(Some(&org.id), 1).await.expect("the engine answers");
    assert_eq!(again.organizations[0].created_at, last.organizations[0].created_at);
}
