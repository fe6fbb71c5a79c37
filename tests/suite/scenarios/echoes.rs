//! The JSON text of assets: members have a fixed order that doesn't depend on the request.

use harness::{Answer, World, samples};
use serde_json::json;
use store::Family;

const CAMPAIGN: &str = concat!(
    r#""campaign":{"name":"Spring launch","reference":"PO-7"},"#,
    r#""flight":{"start_date":"2026-04-06","end_date":"2026-06-28"},"#,
    r#""spots":[{"display_id":"30412887","spot_id":1204331,"#,
    r#""customer_spot_id":"NYC-1","customer_operator_name":"Example Outdoor","#,
    r#""windows":[{"start_date":"2026-04-06","end_date":"2026-04-19"}]},"#,
    r#"{"display_id":"30412901","spot_id":1204332}],"cohort":{"geography_ids":["US2020XDMA501","#,
    r#""US2020STCO06075"],"service_segment_ids":["5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887"],"#,
    r#""service_base_segment_id":"5e6f0c1a-0001-5b7e-9d2a-3c4b5a697887","#,
    r#""measures_release":202609},"customer":{"customer_id":48213,"#,
    r#""customer_name":"Example Coffee","customer_scenario_id":"spring-1","#,
    r#""customer_scenario_name":"Spring","customer_scenario_info":"two markets"}"#,
);

const EVENT: &str = concat!(
    r#""name":"Street fair","description":"Two evenings","periods":[{"period_name":"evening one","#,
    r#""start_time":"2026-07-03T18:00:00-04:00","end_time":"2026-07-03T23:30:00.5-04:00"}],"#,
    r#""place_ids":["1001","1002"],"cohort":{"geography_ids":["US2020XXST36"],"#,
    r#""service_segment_id":"5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887"},"#,
    r#""customer":{"customer_id":"c-48213","customer_name":"Example Coffee","#,
    r#""customer_scenario_id":"fair-1","customer_scenario_name":"Fair","#,
    r#""customer_scenario_info":"with music"},"timezone":"America/New_York""#,
);

/// Returns the JSON text of an asset whose body has the given members.
fn asset(answer: &Answer, version: u64, body: &str, updated_at: &str) -> String {
    let id = answer.json()["data"]["asset_id"].as_str().expect("an ID").to_owned();
    format!(
        concat!(
            r#"{{"asset_id":"{id}","org_id":"org_a","state":"draft","version":{version},"#,
            r#"{body},"last_measured_at":null,"#,
            r#""created_at":"2026-11-20T09:00:30.000Z","updated_at":"{updated_at}"}}"#,
        ),
        id = id,
        version = version,
        body = body,
        updated_at = updated_at,
    )
}

#[tokio::test]
async fn members_have_one_order_in_every_operation() {
    let (world, org) = World::with_org().await;
    let before = "2026-11-20T09:00:30.000Z";
    let after = "2026-11-20T09:00:31.000Z";
    for (family, text) in [(Family::Campaign, CAMPAIGN), (Family::Event, EVENT)] {
        let library = samples::library(family);
        let created = world.post(library).key(&org.key).json(&samples::body(family)).send().await;
        let expected = asset(&created, 1, text, before);
        assert!(
            created.text().starts_with(&format!("{{\"data\":{expected},\"meta\":")),
            "{}",
            created.text()
        );
        let path = format!("{library}/{}", created.data()["asset_id"].as_str().expect("an ID"));
        let read = world.get(&path).key(&org.key).send().await;
        assert!(read.text().starts_with(&format!("{{\"data\":{expected},\"meta\":")), "{}", read.text());
        let listed = world.get(library).key(&org.key).send().await;
        assert!(
            listed.text().starts_with(&format!("{{\"data\":[{expected}],\"pagination\":")),
            "{}",
            listed.text()
        );
        world.clock.advance(1_000);
        let kept = world.patch(&path).key(&org.key).json(&json!({})).send().await;
        assert!(kept.text().starts_with(&format!("{{\"data\":{expected},\"meta\":")), "{}", kept.text());
        world.patch(&path).key(&org.key).json(&samples::edited(family)).send().await;
        let back = world.patch(&path).key(&org.key).json(&samples::body(family)).send().await;
        let expected = asset(&created, 3, text, after);
        assert!(back.text().starts_with(&format!("{{\"data\":{expected},\"meta\":")), "{}", back.text());
        world.clock.advance(-1_000);
    }
}

#[tokio::test]
async fn member_that_is_cleared_and_set_again_keeps_its_position() {
    let (world, org) = World::with_org().await;
    let cases = [
        (
            Family::Campaign,
            "campaign",
            json!({ "reference": "\"\u{e9}\u{0}/" }),
            r#"{"reference":"\"é\u0000/"}"#,
        ),
        (Family::Event, "description", json!("\u{1f600}\n"), "\"😀\\n\""),
    ];
    for (family, member, value, written) in cases {
        let path = world.draft(&org, family).await;
        let (whole, old) = match family {
            Family::Campaign => (CAMPAIGN, r#"{"name":"Spring launch","reference":"PO-7"}"#),
            Family::Event => (EVENT, "\"Two evenings\""),
        };
        let edit = async |patch| world.patch(&path).key(&org.key).json(&patch).send().await.text();
        let cleared = edit(json!({ member: null })).await;
        let without = whole.replace(&format!("\"{member}\":{old},"), "");
        assert!(without.len() < whole.len() && cleared.contains(&format!(",{without},")), "{cleared}");
        let set = edit(json!({ member: value })).await;
        assert!(set.contains(&format!(",{},", whole.replace(old, written))), "{set}");
    }
}
