//! Reading assets in every state. Errors for missing or unreadable assets don't reveal details.

use harness::{World, samples};
use http::Method;
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
async fn asset_id_is_accepted_in_upper_case() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        let (library, id) = path.rsplit_once('/').expect("a path");
        let upper = format!("{library}/{}", id.to_uppercase());
        assert_ne!(upper, path);
        assert_eq!(read(&world, &org, &upper).await.data(), read(&world, &org, &path).await.data());
        let edited = world.patch(&upper).key(&org.key).json(&samples::edited(family)).send().await;
        assert_eq!((&edited.data()["asset_id"], &edited.data()["version"]), (&json!(id), &json!(2)));
        assert_eq!(world.delete(&upper).key(&org.key).send().await.status, 204);
        assert_eq!(read(&world, &org, &path).await.status, 404);
    }
}

#[tokio::test]
async fn returns_304_for_a_version_in_if_none_match() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        world.bring_to(&org, &path, "queued").await;
        let whole = read(&world, &org, &path).await;
        for (known, is_known) in [
            ("\"2\"", true),
            ("W/\"2\"", true),
            ("2", true),
            ("*", true),
            ("\"1\", W/\"2\"", true),
            ("\"x,y\",\"2\"", true),
            ("\"1\"", false),
            ("W/\"1\", \"3\"", false),
            ("\"02\"", false),
            // Malformed headers are ignored.
            ("w/\"2\"", false),
            ("x", false),
            ("\"2", false),
            ("", false),
        ] {
            let answer = world.get(&path).key(&org.key).header("if-none-match", known).send().await;
            assert_eq!(answer.status, if is_known { 304 } else { 200 }, "{known}");
            assert_eq!(answer.header("etag"), "\"2\"", "{known}");
            assert_metered(&answer, known);
            if is_known {
                assert!(answer.body.is_empty() && answer.header("content-type").is_empty(), "{known}");
            } else {
                assert_eq!(answer.data(), whole.data(), "{known}");
            }
        }
    }
}

#[tokio::test]
async fn if_none_match_affects_only_successful_reads_of_a_version() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let (path, library) = (world.draft(&org, family).await, samples::library(family));
        let ask = |method: Method, path: &str, key: &str| {
            world.call(method, path).key(key).header("if-none-match", "*")
        };
        assert_eq!(ask(Method::GET, &path, &other.key).send().await.status, 404);
        assert_eq!(ask(Method::GET, library, &org.key).send().await.status, 200);
        let created = ask(Method::POST, library, &org.key).json(&samples::body(family)).send().await;
        assert_eq!(created.status, 200);
        let edited = ask(Method::PATCH, &path, &org.key).json(&samples::edited(family)).send().await;
        assert_eq!(edited.status, 200);
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
