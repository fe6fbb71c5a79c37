//! TileJSON configures a map library without a key and doesn't reveal the grant.
use std::collections::BTreeMap;

use axum::body::Body;
use gateway::App;
use harness::{Answer, World, root, sample};
use http::Request;
use lambda_http::request::from_str;
use marquee::serve::{Function, Gateway};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{DAY_MILLIS, ORIGIN, PRODUCTS, ask_tilejson, create_grant, grants, id, path_of_grant, revoke};

const CLUSTER_FIELDS: [(&str, &str); 2] = [("cluster", "Boolean"), ("count", "Number")];

/// Returns the attributes of a product's features with their types.
fn own_fields(product: &str) -> &'static [(&'static str, &'static str)] {
    match product {
        "displays" => &[
            ("spot_id", "Number"),
            ("media_type", "String"),
            ("digital", "Boolean"),
            ("operator", "String"),
            ("dma", "String"),
            ("maturity", "String"),
        ],
        _ => &[("place_id", "Number"), ("name", "String"), ("type", "String")],
    }
}

#[tokio::test]
async fn tilejson_describes_the_tiles_of_a_grant() {
    let (world, org) = World::with_org().await;
    for (product, layer) in PRODUCTS {
        let grant = create_grant(&world, &org, product).await;
        let answer = ask_tilejson(&world, &grant).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), "application/json");
        let described = answer.json();
        assert_eq!(described["tilejson"], "3.0.0");
        assert_eq!(described["scheme"], "xyz");
        assert_eq!((&described["minzoom"], &described["maxzoom"]), (&json!(0), &json!(14)));
        assert_eq!(described["fillzoom"], json!(14));
        let tiles = described["tiles"][0].as_str().expect("an address");
        let expected =
            format!("https://api.marquee.example/v2/{product}/tiles/{layer}/{{z}}/{{x}}/{{y}}.mvt?token=");
        assert!(tiles.starts_with(&expected), "{tiles}");
        assert!(!answer.text().contains(id(&grant)), "TileJSON does not reveal the grant's ID");
        assert_eq!(described["vector_layers"][0]["id"], layer);
        let fields = described["vector_layers"][0]["fields"].as_object().expect("fields");
        let types = fields.iter().map(|(name, about)| {
            let (kind, about) =
                about.as_str().and_then(|text| text.split_once(". ")).expect("a type and a description");
            assert!(!about.is_empty(), "{name}");
            (name.as_str(), kind)
        });
        let expected = CLUSTER_FIELDS.into_iter().chain(own_fields(product).iter().copied());
        assert_eq!(types.collect::<BTreeMap<_, _>>(), expected.collect(), "{product}");
        assert!(described["attribution"].as_str().is_some_and(|text| !text.is_empty()));
        let numbers = |member: &str| -> Vec<f64> {
            described[member].as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
        };
        let (bounds, center) = (numbers("bounds"), numbers("center"));
        let [west, south, east, north] = bounds[..] else { panic!("{bounds:?}") };
        // The sample release covers the United States.
        assert!(
            (-180.0..-60.0).contains(&west) && west < east && (15.0..72.0).contains(&south) && south < north
        );
        assert!(west < center[0] && center[0] < east && south < center[1] && center[1] < north, "{center:?}");
    }
}

#[tokio::test]
async fn unknown_grant_returns_404() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let id = id(&grant);
    let of_other = format!("{}/{id}/tilejson", grants("displays"));
    let flipped = if id.ends_with('A') { 'B' } else { 'A' };
    let altered = format!("{}/{}{flipped}/tilejson", grants("places"), &id[..id.len() - 1]);
    for path in [
        of_other,
        altered,
        format!("{}/{id}A/tilejson", grants("places")),
        format!("{}/{}/tilejson", grants("places"), &id[..20]),
        format!("{}/tg_{}/tilejson", grants("places"), "A".repeat(32)),
        format!("{}/%00/tilejson", grants("places")),
        format!("{}/%FF/tilejson", grants("places")),
        format!("{}/{id}/tilejson", grants("markets")),
    ] {
        let answer = world.get(&path).header("origin", ORIGIN).send().await;
        assert_eq!(answer.error(), (404, "NOT_FOUND".to_owned()), "{path}: {}", answer.text());
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "",
            "{path}: an unknown grant allows no origin"
        );
    }
}

#[tokio::test]
async fn expired_grant_returns_401_and_revoked_grant_410() {
    let (world, org) = World::with_org().await;
    let (expired, revoked) =
        (create_grant(&world, &org, "places").await, create_grant(&world, &org, "places").await);
    world.clock.advance(30 * DAY_MILLIS - 1);
    // The grant is valid until it expires.
    assert_eq!(ask_tilejson(&world, &expired).send().await.status, 200);
    world.clock.advance(1);
    assert_eq!(ask_tilejson(&world, &expired).send().await.error(), (401, "UNAUTHORIZED".to_owned()));
    revoke(&world, &org, &revoked).await;
    // A revoked grant returns a 410, whether or not it has also expired.
    assert_eq!(ask_tilejson(&world, &revoked).send().await.error(), (410, "GONE".to_owned()));
}

/// Sends a request to a process without a configured public URL and returns the TileJSON URL in the
/// response.
async fn tilejson_url(world: &World, request: Request<Body>) -> String {
    let mut config = (*world.app.config).clone();
    config.public_url = None;
    let app = App::new(config, world.clock.clone(), runtime::Random::seeded(11));
    let router = Gateway::new(&app, sample()).function(Function::Tiles);
    let answer = Answer::read(router.oneshot(request).await.expect("infallible")).await;
    answer.data()["tilejson_url"].as_str().expect("an address").to_owned()
}

#[tokio::test]
async fn urls_use_the_requested_host_unless_public_url_is_set() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = path_of_grant(&grant);
    let request = |host: Option<&str>| {
        let request = Request::get(&path).header("x-api-key", &org.key);
        let request = host.into_iter().fold(request, |request, host| request.header("host", host));
        request.body(Body::empty()).expect("a request")
    };
    let local = tilejson_url(&world, request(Some("127.0.0.1:3000"))).await;
    assert_eq!(local, format!("http://127.0.0.1:3000{path}/tilejson"));
    assert_eq!(tilejson_url(&world, request(None)).await, format!("{path}/tilejson"));

    let event = std::fs::read_to_string(root().join("events/tiles/read-tile-grant.json")).expect("an event");
    let mut event: Value = serde_json::from_str(&event).expect("JSON");
    event["rawPath"] = json!(path);
    event["headers"]["x-api-key"] = json!(org.key);
    event["headers"]["host"] = json!("elsewhere.example");
    event["headers"]["x-forwarded-host"] = json!("elsewhere.example");
    let request = from_str(&event.to_string()).expect("an event").map(Body::new);
    let gateways = tilejson_url(&world, request).await;
    assert_eq!(gateways, format!("https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com{path}/tilejson"));
}
