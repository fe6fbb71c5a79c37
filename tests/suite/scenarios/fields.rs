//! `fields` in lists: assets' bodies are read only if a selected member requires them.

use harness::{Contract, World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, create, list};

/// Returns the members that the contract documents for a family's assets.
fn members(family: Family) -> Vec<String> {
    let schema = match family {
        Family::Campaign => "CampaignAssetMembers",
        Family::Event => "EventAssetMembers",
    };
    let properties = &Contract::get().document()["components"]["schemas"][schema]["properties"];
    properties.as_object().expect("members").keys().cloned().collect()
}

#[tokio::test]
async fn shows_only_the_selected_members_in_asset_order() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let whole = create(&world, &org, family, &samples::body(family)).await.data();
        let members = members(family);
        assert_eq!(whole.as_object().expect("an asset").len(), members.len());
        let of_all = members.iter().rev().cloned().collect::<Vec<_>>().join(",");
        let answer = list(&world, &org, family, &format!("?fields={of_all}")).await;
        let without = list(&world, &org, family, "").await;
        assert_eq!(answer.json()["data"].to_string(), without.json()["data"].to_string());
        for filter in ["", "&state=draft", "&name=s", "&updated_since=2026-01-01T00:00:00Z"] {
            for wanted in members.iter().map(|member| vec![member.as_str()]).chain([
                vec!["updated_at", "customer", "asset_id"],
                vec!["state", "state"],
                vec!["org_id", "version", "last_measured_at", "created_at", "updated_at"],
            ]) {
                let query = format!("?fields={}{filter}", wanted.join(","));
                let expected: Value =
                    wanted.iter().map(|name| ((*name).to_owned(), whole[name].clone())).collect();
                let answer = list(&world, &org, family, &query).await;
                assert_eq!(answer.data(), json!([expected]), "{query}");
                assert_eq!(answer.json()["pagination"]["total"], 1, "{query}");
            }
        }
    }
}

#[tokio::test]
async fn missing_optional_members_are_omitted() {
    let (world, org) = World::with_org().await;
    for (family, member) in [(Family::Campaign, "campaign"), (Family::Event, "description")] {
        let mut body = samples::body(family);
        body.as_object_mut().expect("a body").remove(member);
        create(&world, &org, family, &body).await;
        let answer = list(&world, &org, family, &format!("?fields={member},state")).await;
        assert_eq!(answer.data(), json!([{ "state": "draft" }]));
        let answer = list(&world, &org, family, &format!("?fields={member}")).await;
        assert_eq!(answer.data(), json!([{}]));
    }
}

#[tokio::test]
async fn unknown_member_returns_400_with_the_known_ones() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let allowed = match family {
            Family::Campaign => "campaign, flight, spots, cohort, customer",
            Family::Event => "name, description, periods, place_ids, cohort, customer, timezone",
        };
        let allowed = format!(
            "allowed members: asset_id, org_id, state, version, {allowed}, \
             last_measured_at, created_at, updated_at"
        );
        for (fields, unknown) in [
            ("", "\"\""),
            ("asset_id,", "\"\""),
            ("x", "\"x\""),
            ("State", "\"State\""),
            ("asset_id,%20state", "\" state\""),
            ("asset_id,x,state,y", "\"x\", \"y\""),
            ("campaign.name", "\"campaign.name\""),
            ("body", "\"body\""),
        ] {
            let answer = list(&world, &org, family, &format!("?fields={fields}")).await;
            answer.assert_invalid(&[("?fields", &format!("got {unknown}; {allowed}"))], fields);
        }
        let long = "x".repeat(5_000);
        let answer = list(&world, &org, family, &format!("?fields={long}")).await;
        assert!(answer.text().len() < 2_000, "{}", answer.text().len());
        let twice = list(&world, &org, family, "?fields=state&fields=state").await;
        twice.assert_invalid(&[("?fields", "must be given only once")], "fields given twice");
    }
}

#[tokio::test]
async fn large_bodies_are_read_only_for_their_members() {
    let (world, org) = World::with_org().await;
    for seed in 0..3 {
        let body = super::large::campaign(seed, 3_000_000);
        assert_eq!(create(&world, &org, Family::Campaign, &body).await.status, 200);
    }
    let ask = async |query: &str| {
        world.wire.record();
        let page = list(&world, &org, Family::Campaign, query).await.json();
        let bodies = world.wire.take().iter().filter(|sent| sent.operation == "BatchGetItem").count();
        (page["data"].as_array().expect("a page").len(), page["pagination"]["has_more"] == true, bodies)
    };
    assert_eq!(ask("?fields=asset_id,state").await, (3, false, 0), "a page without bodies is complete");
    let (shown, has_more, bodies) = ask("?fields=asset_id,customer").await;
    assert!(shown == 1 && has_more && bodies >= 1, "{shown} {bodies}");
}

#[tokio::test]
async fn fields_may_differ_between_pages() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        for _ in 0..2 {
            world.draft(&org, family).await;
        }
        let first = list(&world, &org, family, "?limit=1&fields=asset_id").await.json();
        let cursor = first["pagination"]["cursor"].as_str().expect("a cursor");
        let second = list(&world, &org, family, &format!("?cursor={cursor}&fields=state")).await;
        assert_eq!(second.data(), json!([{ "state": "draft" }]));
    }
}
