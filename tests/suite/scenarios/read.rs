//! Tests of reading assets in every state. Errors for missing or unreadable assets don't reveal details.

use harness::{World, samples};
use serde_json::json;
use store::Family;

use super::{FAMILIES, assert_metered, corrupt, read};

#[tokio::test]
async fn returns_404_for_unknown_assets() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let library = samples::library(family);
        let own = world.draft(&org, family).await;
        let id = own.rsplit('/').next().expect("an ID").to_owned();
        let wrong_family = match family {
            Family::Campaign => samples::library(Family::Event),
            Family::Event => samples::library(Family::Campaign),
        };
        let paths = [
            world.draft(&other, family).await,
            format!("{wrong_family}/{id}"),
            format!("{library}/01999999-9999-7999-8999-999999999999"),
            format!("{library}/00000000-0000-0000-0000-000000000000"),
            format!("{library}/{}", id.to_uppercase()),
            format!("{library}/{}", id.replace('-', "")),
            format!("{library}/%7B{id}%7D"),
            format!("{library}/urn:uuid:{id}"),
            format!("{library}/{id}%00"),
            format!("{library}/{id}%20"),
            format!("{library}/{id}%2F"),
            format!("{library}/%FF%FE"),
            format!("{library}/asset%23{id}"),
            format!("{library}/1"),
            format!("{library}/{}", "9".repeat(5_000)),
        ];
        for path in paths {
            let calls = [
                world.get(&path).key(&org.key),
                world.patch(&path).key(&org.key).json(&json!({})),
                world.delete(&path).key(&org.key),
            ];
            for call in calls {
                let answer = call.send().await;
                assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}");
                assert_metered(&answer, &path);
            }
        }
        assert_eq!(read(&world, &org, &own).await.status, 200);
    }
}

#[tokio::test]
async fn unreadable_item_returns_500_without_details() {
    for family in FAMILIES {
        let (world, org) = World::with_org().await;
        let path = world.draft(&org, family).await;
        corrupt(&world, &org, family, &path).await;
        let library = samples::library(family);
        let patch = json!({ "cohort": samples::body(family)["cohort"] });
        for call in [world.get(&path), world.patch(&path).json(&patch), world.get(library)] {
            let answer = call.key(&org.key).send().await;
            assert_eq!(answer.error(), (500, "INTERNAL_ERROR".to_owned()));
            assert_eq!(answer.number("x-credits-used"), 0);
            for inside in ["body", "zstd", "attribute", "marquee-", "org_a"] {
                assert!(!answer.text().contains(inside), "{}", answer.text());
            }
        }
    }
}
