//! Assets slightly below or above the 4 MiB size limit.

use harness::{Answer, World, samples};
use serde_json::{Value, json};
use store::{Family, MAX_ESCAPED_BYTES, escaped_len};

use super::{changed, create, list, read, split, stored_keys, summary};

const SPOTS: usize = 2_000;

/// The maximum size of a Lambda response in bytes, with the body escaped as a JSON string.
const LAMBDA_RESPONSE_BYTES: usize = 6_000_000;

/// Creates a campaign with 2,000 spots that have several windows and random references. Its escaped JSON
/// string is exactly `escaped_bytes` long.
pub(super) fn campaign(seed: u64, escaped_bytes: usize) -> Value {
    let mut random = fastrand::Rng::with_seed(seed);
    let windows = json!([
        { "start_date": "2026-04-06", "end_date": "2026-04-12" },
        { "start_date": "2026-04-20", "end_date": "2026-04-26" },
        { "start_date": "2026-05-04", "end_date": "2026-05-10" },
    ]);
    let spot = |id: usize| {
        json!({
            "display_id": format!("{id}"),
            "spot_id": id,
            "customer_spot_id": "",
            "windows": windows,
        })
    };
    let spots: Vec<_> = (0..SPOTS).map(spot).collect();
    let mut body = changed(&samples::campaign(), "/spots", Some(json!(spots)));
    let missing = escaped_bytes - escaped_len(body.to_string().as_bytes());
    for (id, spot) in body["spots"].as_array_mut().expect("spots").iter_mut().enumerate() {
        let length = missing / SPOTS + usize::from(id < missing % SPOTS);
        let reference: String = (0..length).map(|_| random.alphanumeric()).collect();
        spot["customer_spot_id"] = json!(reference);
    }
    assert_eq!(escaped_len(body.to_string().as_bytes()), escaped_bytes);
    body
}

fn assert_fits_lambda(answer: &Answer) {
    let escaped = escaped_len(&answer.body);
    assert!(escaped < LAMBDA_RESPONSE_BYTES, "a response of {escaped} bytes");
}

fn kinds(keys: &[String]) -> (usize, usize, usize) {
    let count = |prefix: &str| keys.iter().filter(|key| key.starts_with(prefix)).count();
    (count("asset#"), count("chunk#"), count("count#"))
}

#[tokio::test]
async fn accepts_a_campaign_at_the_limit_and_returns_it_unchanged() {
    let (world, org) = World::with_org().await;
    let body = campaign(1, MAX_ESCAPED_BYTES);
    let created = create(&world, &org, Family::Campaign, &body).await;
    assert_fits_lambda(&created);
    let asset = created.data();
    assert!(split(&asset).1 == body, "the created asset must equal the request");
    let path = format!("/v2/scenarios/campaigns/{}", asset["asset_id"].as_str().expect("an ID"));
    let found = read(&world, &org, &path).await;
    assert_fits_lambda(&found);
    assert!(found.data() == asset, "the read asset must equal the created one");
    for query in ["", "?state=draft"] {
        let page = list(&world, &org, Family::Campaign, query).await;
        assert_fits_lambda(&page);
        assert!(page.data()[0] == asset, "the listed asset must equal the created one");
    }
}

#[tokio::test]
async fn campaign_over_the_limit_returns_413_and_is_not_stored() {
    let (world, org) = World::with_org().await;
    let body = campaign(2, MAX_ESCAPED_BYTES + 1);
    let refused = create(&world, &org, Family::Campaign, &body).await;
    assert_eq!(refused.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    assert!(refused.text().contains("4194305") && refused.text().contains("4194304"), "{}", refused.text());
    assert_eq!(summary(&world, &org, Family::Campaign).await["total"], 0);
    assert_eq!(list(&world, &org, Family::Campaign, "").await.data(), json!([]));
    assert_eq!(stored_keys(&world, &org, Family::Campaign).await, [""; 0]);

    let path = world.draft(&org, Family::Campaign).await;
    let before = read(&world, &org, &path).await;
    let refused = world.patch(&path).key(&org.key).json(&json!({ "spots": body["spots"] })).send().await;
    assert_eq!(refused.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    let after = read(&world, &org, &path).await;
    assert_eq!((after.data(), after.header("etag")), (before.data(), "\"1\""));
    assert_eq!(kinds(&stored_keys(&world, &org, Family::Campaign).await), (1, 0, 1));
}

#[tokio::test]
async fn incompressible_asset_over_the_limit_returns_413() {
    let (world, org) = World::with_org().await;
    let mut random = fastrand::Rng::with_seed(3);
    // The 93 different characters need no escapes, so each byte carries 6.5 bits.
    let characters: Vec<_> =
        (b' '..=b'~').filter(|byte| !matches!(byte, b'"' | b'\\')).map(char::from).collect();
    let text: String = (0..4_100_000).map(|_| characters[random.usize(..characters.len())]).collect();
    let body = changed(&samples::event(), "/description", Some(json!(text)));
    assert!(escaped_len(body.to_string().as_bytes()) < MAX_ESCAPED_BYTES);
    let refused = create(&world, &org, Family::Event, &body).await;
    assert_eq!(refused.error(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
    assert!(refused.text().contains("after compression"), "{}", refused.text());
    assert_eq!(stored_keys(&world, &org, Family::Event).await, [""; 0]);
}

#[tokio::test]
async fn resizing_and_deleting_leave_no_stale_chunks() {
    let (world, org) = World::with_org().await;
    let path = world.draft(&org, Family::Campaign).await;
    let small = samples::campaign();
    let steps = [
        (campaign(4, MAX_ESCAPED_BYTES), 8),
        (campaign(5, MAX_ESCAPED_BYTES / 2), 4),
        (campaign(6, MAX_ESCAPED_BYTES - 1_000_000), 6),
        (small.clone(), 0),
        (campaign(7, MAX_ESCAPED_BYTES / 2), 4),
    ];
    for (body, at_most) in steps {
        let edited = world.patch(&path).key(&org.key).json(&json!({ "spots": body["spots"] })).send().await;
        assert_eq!(edited.status, 200, "{}", edited.text().chars().take(500).collect::<String>());
        assert_fits_lambda(&edited);
        let found = read(&world, &org, &path).await.data();
        assert!(split(&found).1 == body, "the read asset must equal the request");
        let (heads, chunks, _) = kinds(&stored_keys(&world, &org, Family::Campaign).await);
        assert_eq!(heads, 1);
        assert!(chunks <= at_most, "{chunks} chunks, at most {at_most}");
        assert_eq!(chunks == 0, body == small);
    }
    assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
    assert_eq!(kinds(&stored_keys(&world, &org, Family::Campaign).await), (0, 0, 1));
    assert_eq!(summary(&world, &org, Family::Campaign).await["total"], 0);
}

#[tokio::test]
async fn pages_of_large_assets_fit_in_lambda_responses() {
    // A response has room for only one asset of this size, so there are as many pages as assets.
    const ASSETS: usize = 15;
    let (world, org) = World::with_org().await;
    let mut expected = Vec::new();
    let body = campaign(8, MAX_ESCAPED_BYTES).to_string();
    for _ in 0..ASSETS {
        world.clock.advance(10);
        let call = world.post("/v2/scenarios/campaigns").key(&org.key);
        let created = call.bytes("application/json", body.clone()).send().await.data();
        expected.insert(0, created["asset_id"].clone());
    }
    for filter in ["", "&state=draft"] {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = list(&world, &org, Family::Campaign, &format!("?limit=100{filter}{cursor}")).await;
            assert_fits_lambda(&page);
            let page = page.json();
            assert_eq!(page["pagination"]["total"], ASSETS);
            found.extend(
                page["data"].as_array().expect("assets").iter().map(|asset| asset["asset_id"].clone()),
            );
            match page["pagination"]["cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(found, expected, "{filter}");
    }
}
