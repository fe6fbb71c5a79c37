//! The directory of organizations: creating an organization adds it, and reading a page doesn't scan the
//! table.

use accounting::{OrgId, Tier};
use harness::World;

fn id(name: &str) -> OrgId {
    name.parse().expect("valid ID")
}

async fn listed(world: &World, after: Option<&str>, limit: usize) -> (Vec<String>, bool) {
    let page = world.administrator.accounts.list(after.map(id).as_ref(), limit).await.expect("a response");
    (page.organizations.iter().map(|listed| listed.org.to_string()).collect(), page.has_more)
}

#[tokio::test]
async fn creating_an_organization_adds_it_to_the_directory_in_one_transaction() {
    let world = World::new().await;
    world.wire.record();
    world.org_with("org_a", Tier::Sandbox, 0).await;
    let sent = world.wire.take();
    let items = sent[0].body["TransactItems"].as_array().expect("a transaction");
    // The organization, its directory entry, and its first grant.
    assert_eq!((sent[0].operation.as_str(), items.len()), ("TransactWriteItems", 3));
    let page = world.administrator.accounts.list(None, 10).await.expect("a response");
    let listed = &page.organizations[0];
    assert_eq!((listed.org.as_str(), listed.created_at), ("org_a", world.clock.now()));
    assert_eq!((listed.account.left(), page.has_more), (2_000, false));
}

#[tokio::test]
async fn each_page_costs_one_query_and_one_batch() {
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
    assert!(!listed(&world, None, 7).await.1, "no page follows a full last page");
}
