//! Lists contain each asset once, newest first, even if assets are created or deleted between pages.

use harness::{TestOrg, World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, assert_metered, list};

fn ids(page: &Value) -> Vec<String> {
    let assets = page.as_array().expect("a page");
    assets.iter().map(|asset| asset["asset_id"].as_str().expect("an ID").to_owned()).collect()
}

/// Creates drafts one millisecond apart, and returns their IDs, newest first.
async fn drafts(world: &World, org: &TestOrg, family: Family, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        world.clock.advance(1);
        let path = world.draft(org, family).await;
        ids.insert(0, path.rsplit('/').next().expect("an ID").to_owned());
    }
    ids
}

/// Reads a list to its end and returns all pages.
pub(super) async fn pages_of(world: &World, org: &TestOrg, family: Family, query: &str) -> Vec<Value> {
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = list(world, org, family, &format!("?{query}{cursor}")).await.json();
        let next = page["pagination"]["cursor"].as_str().map(|next| format!("&cursor={next}"));
        assert_eq!(page["pagination"]["has_more"], next.is_some(), "{query}");
        pages.push(page);
        match next {
            Some(next) => cursor = next,
            None => return pages,
        }
    }
}

#[tokio::test]
async fn empty_library_has_an_empty_list() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for query in ["", "?state=draft", "?limit=1"] {
            let answer = list(&world, &org, family, query).await;
            assert_eq!(answer.data(), json!([]));
            assert_eq!(
                answer.json()["pagination"],
                json!({ "cursor": null, "has_more": false, "total": 0, "total_matched": 0 })
            );
            assert_metered(&answer, query);
        }
    }
}

#[tokio::test]
async fn pages_list_each_asset_once_newest_first() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let expected = drafts(&world, &org, family, 27).await;
        drafts(&world, &other, family, 2).await;
        for (query, pages) in [
            ("", vec![25, 2]),
            ("limit=100", vec![27]),
            ("limit=27", vec![27]),
            ("limit=26", vec![26, 1]),
            ("limit=9", vec![9, 9, 9]),
            ("limit=009", vec![9, 9, 9]),
            ("limit=1", vec![1; 27]),
            ("state=draft", vec![25, 2]),
            ("state=draft&limit=27", vec![27]),
            ("state=draft&limit=13", vec![13, 13, 1]),
        ] {
            let found = pages_of(&world, &org, family, query).await;
            assert!(found.iter().all(|page| page["pagination"]["total"] == 27), "{query}");
            let found: Vec<_> = found.iter().map(|page| ids(&page["data"])).collect();
            assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), pages, "{family} {query}");
            assert_eq!(found.concat(), expected, "{family} {query}");
        }
        let queued = list(&world, &org, family, "?state=queued").await.json();
        assert_eq!((&queued["data"], &queued["pagination"]["total"]), (&json!([]), &json!(0)));
    }
}

#[tokio::test]
async fn paging_continues_while_assets_are_created_and_deleted() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for query in ["", "state=draft&"] {
            let before = drafts(&world, &org, family, 6).await;
            let page = list(&world, &org, family, &format!("?{query}limit=2")).await.json();
            assert_eq!(ids(&page["data"]), before[..2]);
            // Deletes the asset at the cursor, and one on the next page.
            for id in &before[1..3] {
                let path = format!("{}/{id}", samples::library(family));
                assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
            }
            drafts(&world, &org, family, 1).await;
            let cursor = page["pagination"]["cursor"].as_str().expect("a cursor");
            let rest = list(&world, &org, family, &format!("?{query}limit=3&cursor={cursor}")).await.json();
            assert_eq!(ids(&rest["data"]), before[3..], "{family} {query}");
        }
    }
}
