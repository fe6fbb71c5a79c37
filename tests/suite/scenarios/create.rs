//! A new asset comes back exactly as it was sent, is readable at once, and is checked in a fixed order.

use harness::{World, paid, samples};
use http::Method;
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, assert_metered, changed, create, read, split, summary};

#[tokio::test]
async fn creates_a_draft_that_is_there_at_once() {
    let (world, org) = World::with_org().await;
    for family in FAMILIES {
        let created = create(&world, &org, family, &samples::body(family)).await;
        assert_eq!(created.status, 200);
        let (own, body) = split(&created.data());
        assert_eq!(body, samples::body(family));
        let id = own["asset_id"].as_str().expect("an id").to_owned();
        assert_eq!(id.as_bytes()[14], b'7', "{id} is no UUIDv7");
        let expected = json!({
            "asset_id": id,
            "org_id": "org_a",
            "state": "draft",
            "version": 1,
            "last_measured_at": null,
            "created_at": "2026-11-20T09:00:30.000Z",
            "updated_at": "2026-11-20T09:00:30.000Z",
        });
        assert_eq!(own, expected);
        assert_eq!(created.header("etag"), "\"1\"");
        let found = read(&world, &org, &format!("{}/{id}", samples::library(family))).await;
        assert_eq!(found.data(), created.data());
    }
}

#[tokio::test]
async fn says_in_meta_what_the_call_was_and_cost() {
    let (world, org) = World::with_org().await;
    for (family, product) in
        [(Family::Campaign, "scenario_campaign_crud"), (Family::Event, "scenario_event_crud")]
    {
        let created = create(&world, &org, family, &samples::body(family)).await;
        assert_metered(&created, product);
        let meta = created.json()["meta"].take();
        assert_eq!(meta["request_id"], created.header("x-request-id"));
        assert_eq!(meta["credits_used"], paid());
        assert_eq!(meta["credits_remaining"], created.number("x-credits-remaining"));
        assert_eq!(meta["product"], product);
        assert_eq!(meta["version"], "0.4.0");
        assert_eq!(meta["provenance"]["methodology_version"], "0.4.0");
        assert_eq!(meta["provenance"]["data_freshness"], "on-demand");
        assert_eq!(meta["provenance"]["data_maturity"], "production");
    }
    assert_eq!(
        world.account(&org).await.balance(None, world.account(&org).await.moment(world.clock.now())),
        1_000_000 - 2 * paid()
    );
}

#[tokio::test]
async fn echoes_every_text_byte_for_byte() {
    let odd = [
        "",
        " ",
        "\u{0}\u{1}\u{1f}\u{7f}\u{80}",
        "\"quoted\" \\ back\\\\slash / \\u0041",
        "\r\n\t\u{8}\u{c}",
        "é and e\u{301}",
        "\u{2028}\u{2029}\u{feff}\u{fffd}\u{fffe}\u{ffff}",
        "\u{10ffff}👩\u{200d}👩\u{200d}👧",
        "\u{202e}right to left",
        "</script>&lt;",
        "null",
        "1e5",
        "ﬁ ＡＢＣ ß İ",
        "  padded  ",
    ];
    let (world, org) = World::with_org().await;
    for text in odd {
        for (family, places) in [
            (
                Family::Campaign,
                ["/campaign/name", "/spots/0/customer_spot_id", "/customer/customer_scenario_info"],
            ),
            (Family::Event, ["/name", "/periods/0/period_name", "/customer/customer_name"]),
        ] {
            let mut body = samples::body(family);
            for place in places {
                body = changed(&body, place, Some(json!(text)));
            }
            let created = create(&world, &org, family, &body).await.data();
            let id = created["asset_id"].as_str().expect("an id");
            let found = read(&world, &org, &format!("{}/{id}", samples::library(family))).await.data();
            for place in places {
                assert_eq!(created.pointer(place).and_then(Value::as_str), Some(text), "{family} {place}");
                assert_eq!(found.pointer(place).and_then(Value::as_str), Some(text), "{family} {place}");
            }
        }
    }
}

#[tokio::test]
async fn understands_every_escape_of_json() {
    let (world, org) = World::with_org().await;
    let escaped = r#""\u00e9\ud83d\ude00\u0000\/\"\\\b\f\n\r\t\u002f""#;
    let body = samples::event().to_string().replace(r#""Street fair""#, escaped);
    let call = world.post("/v2/scenarios/events").key(&org.key);
    let created = call.bytes("application/json", body).send().await;
    assert_eq!(created.data()["name"], "é😀\u{0}/\"\\\u{8}\u{c}\n\r\t/");
}

#[tokio::test]
async fn echoes_times_as_they_were_written() {
    let (world, org) = World::with_org().await;
    for (start, end) in [
        ("2026-07-03T18:00:00-04:00", "2026-07-04T03:30:00.500+05:30"),
        ("2026-07-03T18:00:00Z", "2026-07-03T18:00:00.001Z"),
        ("2026-07-03t18:00:00z", "2026-07-03T18:00:01+00:00"),
        ("2026-07-03T18:00:00-00:00", "2026-07-03T18:00:00.123456789012Z"),
    ] {
        let period = json!([{ "period_name": "p", "start_time": start, "end_time": end }]);
        let body = changed(&samples::event(), "/periods", Some(period.clone()));
        assert_eq!(create(&world, &org, Family::Event, &body).await.data()["periods"], period);
    }
}

#[tokio::test]
async fn takes_json_by_any_of_its_names() {
    let (world, org) = World::with_org().await;
    let json_names = [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/merge-patch+json",
    ];
    for family in FAMILIES {
        let body = samples::body(family).to_string();
        let path = world.draft(&org, family).await;
        for (method, path) in [(Method::POST, samples::library(family)), (Method::PATCH, &path)] {
            let call = || world.call(method.clone(), path).key(&org.key);
            for name in json_names {
                let answer = call().bytes(name, body.clone()).send().await;
                assert_eq!(answer.status, 200, "{name}: {}", answer.text());
            }
            let unnamed = call().send().await;
            assert_eq!(unnamed.error(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()));
        }
        assert_eq!(summary(&world, &org, family).await["total"], 1 + json_names.len(), "each made one");
    }
}
