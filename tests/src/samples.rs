//! Valid request bodies, and IDs from the sample release.

use dataset::inventory::{Inventory, SpotId};
use dataset::{Exposures, PlaceId, PlaceQuery, Places, Population};
use serde_json::{Value, json};
use store::{ClientLinkId, ClientLinkToken, Family};

use crate::{Contract, sample_release};

/// Returns a valid request body for creating an asset of the given family.
pub fn body(family: Family) -> Value {
    match family {
        Family::Campaign => campaign(),
        Family::Event => event(),
    }
}

pub fn library(family: Family) -> &'static str {
    match family {
        Family::Campaign => "/v2/scenarios/campaigns",
        Family::Event => "/v2/scenarios/events",
    }
}

/// Returns a valid body with every member set, and with a `customer_scenario_id` that no other sample has.
pub fn body_to_put(family: Family) -> Value {
    let mut body = body(family);
    body["customer"]["customer_scenario_id"] = json!("put-1");
    body
}

pub fn batch(family: Family) -> Value {
    json!({ "operations": [{ "operation": "create", "idempotency_key": "batch-1", "body": body(family) }] })
}

/// Returns a valid campaign with every member set.
pub fn campaign() -> Value {
    json!({
        "campaign": { "name": "Spring launch", "reference": "PO-7" },
        "flight": { "start_date": "2026-04-06", "end_date": "2026-06-28" },
        "spots": [
            {
                "display_id": "30412887",
                "spot_id": 1204331,
                "customer_spot_id": "NYC-1",
                "customer_operator_name": "Example Outdoor",
                "windows": [{ "start_date": "2026-04-06", "end_date": "2026-04-19" }],
            },
            { "display_id": "30412901", "spot_id": 1204332 },
        ],
        "cohort": {
            "geography_ids": ["US2020XDMA501", "US2020STCO06075"],
            "service_segment_ids": ["5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887"],
            "service_base_segment_id": "5e6f0c1a-0001-5b7e-9d2a-3c4b5a697887",
            "measures_release": 202609,
        },
        "customer": {
            "customer_id": 48213,
            "customer_name": "Example Coffee",
            "customer_scenario_id": "spring-1",
            "customer_scenario_name": "Spring",
            "customer_scenario_info": "two markets",
        },
    })
}

/// Returns a valid campaign with every member set, on displays in the sample release that have impressions.
pub fn estimated_campaign() -> Value {
    let mut body = campaign();
    let displays = displays_with_impressions(2);
    for (spot, display) in body["spots"].as_array_mut().expect("spots").iter_mut().zip(displays) {
        spot["display_id"] = json!(display.to_string());
    }
    body["cohort"]["service_segment_ids"] = json!([segment("hispanic")]);
    body["cohort"]["service_base_segment_id"] = json!(segment("everyone"));
    body
}

/// Returns a valid event with every member set.
pub fn event() -> Value {
    json!({
        "name": "Street fair",
        "description": "Two evenings",
        "periods": [
            {
                "period_name": "evening one",
                "start_time": "2026-07-03T18:00:00-04:00",
                "end_time": "2026-07-03T23:30:00.5-04:00",
            },
        ],
        "place_ids": ["1001", "1002"],
        "cohort": {
            "geography_ids": ["US2020XXST36"],
            "service_segment_id": "5e6f0c1a-1001-5b7e-9d2a-3c4b5a697887",
        },
        "customer": {
            "customer_id": "c-48213",
            "customer_name": "Example Coffee",
            "customer_scenario_id": "fair-1",
            "customer_scenario_name": "Fair",
            "customer_scenario_info": "with music",
        },
        "timezone": "America/New_York",
    })
}

/// Returns a valid event with every member set, at places in the sample release.
pub fn estimated_event() -> Value {
    let mut body = event();
    body["place_ids"] = places(2).iter().map(ToString::to_string).collect();
    body["cohort"]["service_segment_id"] = json!(segment("hispanic"));
    body
}

/// Returns a valid edit of [`campaign`] with every member set and a different end date.
pub fn edited_campaign() -> Value {
    let mut body = campaign();
    body["flight"]["end_date"] = json!("2026-07-05");
    body
}

/// Returns a valid edit of [`event`] with every member set and a different description.
pub fn edited_event() -> Value {
    let mut body = event();
    body["description"] = json!("Three evenings");
    body
}

/// Returns a valid edit of [`body`] with every member set and one of them changed.
pub fn edited(family: Family) -> Value {
    match family {
        Family::Campaign => edited_campaign(),
        Family::Event => edited_event(),
    }
}

/// Returns a valid inventory search with every member set.
pub fn inventory_search() -> Value {
    let places = &place_search()["filter"];
    json!({
        "service_segment_id": segment("hispanic"),
        "filter": {
            "dma_name": "New York",
            "state": "NY",
            "zip_code": "10036",
            "cbsa_name": "New York-Newark-Jersey City, NY-NJ",
            "county_name": "New York",
            "media_type_name": "Street Furniture",
            "media_name": "LinkNYC Link1.0 kiosk",
            "construction_type_name": "Kiosk",
            "illumination_type_name": "LED",
            "media_owner": "CityBridge",
            "venue_type": "outdoor.urban_panels",
            "primary_artery": "broadway",
            "plant_spot_id": "mn-05-133508",
            "available_by": "2027-01-04",
            "min_impressions": 1,
            "exclude_modelled": false,
            "digital": true,
            "full_motion": true,
            "interactive": true,
            "rotating": true,
            "audio": false,
            "id_min": 1,
            "id_max": 4_294_967_295_u32,
            "search": "broadway kio",
            "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "500 m" },
            "geo_bounding_box": {
                "top_left": { "lat": 41, "lon": -75 },
                "bottom_right": { "lat": 40, "lon": -73 },
            },
            "any_of": [
                { "lat": 40.758, "lon": -73.9855, "distance": "1 mi" },
                { "lat": 37.77, "lon": -122.42, "distance": "5 km" },
            ],
            "near_places": { "filter": places, "distance": "500 m" },
            "not_near_places": { "filter": places, "distance": "1000 ft" },
        },
        "fieldSet": ["id", "location.state"],
        "pagination": { "page": 1, "page_size": 5 },
        "sort": { "field": "location.dma_name", "order": "desc" },
    })
}

/// Returns a lookup with every member set, for a display in the sample release and an unknown display.
pub fn display_lookup() -> Value {
    json!({ "spot_ids": [10_528_839, 7], "media_owner": "CityBridge", "plant_spot_ids": ["mn-05-133508"] })
}

/// Returns a valid place search with every member set.
pub fn place_search() -> Value {
    json!({
        "filter": {
            "place_name": "starbucks",
            "place_type_name": "Coffee Shop",
            "city": "San Francisco",
            "state": "CA",
            "zip_code": "94103",
            "dma_name": "San Francisco-Oak-San Jose",
            "county_name": "San Francisco County, CA",
            "brand": "Starbucks",
            "address": "market",
            "place_ids": [825250465966_u64, "825250465966"],
            "place_type_ids": [1, "2"],
            "geo_distance": { "lat": 37.77, "lon": -122.42, "distance": "5km" },
            "geo_bounding_box": {
                "top_left": { "lat": 38, "lon": -123 },
                "bottom_right": { "lat": 37, "lon": -122 },
            },
        },
        "fieldSet": ["place_id", "location.lat", "distance"],
        "pagination": { "page": 1, "page_size": 5 },
        "sort": { "active": "city", "direction": "desc" },
    })
}

/// Returns a valid place match with every member set, for an address and a point.
pub fn place_match() -> Value {
    json!({
        "inputs": [
            {
                "input_id": "A-17",
                "name": "Starbucks",
                "brand": "Starbucks",
                "address": "1101 Madison St Ste 301",
                "city": "Seattle",
                "state": "WA",
                "zip_code": "98104-1306",
                "location": { "lat": 47.60957, "lon": -122.32419 },
            },
            { "name": "KFC", "location": { "lat": 47.30092, "lon": -122.363216 } },
        ],
        "min_score": 0.8,
    })
}

/// Returns a valid place report request with every member set. It contains the same place ID as a number and
/// as a string.
pub fn place_report() -> Value {
    json!({
        "place_id": [place().raw(), "825250465966"],
        "by_place": { "service_segment_ids": [segment("hispanic")] },
    })
}

/// Returns a valid cohort search with every member set.
pub fn cohort_search() -> Value {
    json!({ "service_data_product_name": "Population At Home", "search_text": "women" })
}

/// Returns a valid population request with every member set.
pub fn population_at_home() -> Value {
    json!({
        "service_segment_id": segment("hispanic"),
        "geography_type": ["STATE"],
        "min_population": 1,
        "geography_ids": ["US2020XXST06", "US2020XXST36"],
        "state": "California",
        "pagination": { "page": 1, "page_size": 5 },
        "sort": { "active": "composition_index", "direction": "desc" },
    })
}

pub fn sign_up() -> Value {
    json!({ "name": "Example Coffee" })
}

/// Returns a valid API key request with every member set.
pub fn api_key() -> Value {
    json!({ "label": "nightly import", "scopes": ["scenarios:read", "billing"], "expires_in_days": 90 })
}

/// Returns a valid webhook request with every member set.
pub fn webhook() -> Value {
    json!({ "url": "https://hooks.invalid/marquee", "event_types": ["asset.state_changed", "asset.deleted"] })
}

/// Returns a valid webhook edit with every member set.
pub fn webhook_edit() -> Value {
    json!({ "url": "https://hooks.invalid/other", "event_types": ["asset.deleted"], "enabled": false })
}

/// Returns an edit that makes a member an owner.
pub fn member_edit() -> Value {
    json!({ "role": "owner" })
}

pub fn invitation() -> Value {
    json!({ "email": "guest@example.com", "role": "member" })
}

/// Returns the request that accepts the invitation for [`World::invitee`](crate::World::invitee).
pub fn acceptance() -> Value {
    Contract::get().request_example("accept_invitation").expect("an example").clone()
}

/// Returns a valid tile grant request with every member set.
pub fn tile_grant() -> Value {
    json!({
        "allowed_origins": ["https://maps.example.com", "http://localhost:5173"],
        "include_visits": false,
        "label": "store finder",
        "expires_in_days": 90,
    })
}

/// Returns the token of the client link that [`World::share`](crate::World::share) creates.
pub fn client_link_token() -> String {
    format!("mql_{}", "c0ffee00".repeat(8))
}

/// Returns the ID of the link that has the [`client_link_token`].
pub fn client_link_id() -> ClientLinkId {
    let token: ClientLinkToken = client_link_token().parse().expect("a token");
    token.digest().first()
}

/// Returns a valid client link request with every member set.
pub fn client_link() -> Value {
    json!({ "include_rates": true, "expires_in_days": 60 })
}

/// Returns the ID of a coffee shop in San Francisco, from the sample release.
pub fn place() -> PlaceId {
    let places = Places::open(sample_release()).expect("the sample's places");
    let query = PlaceQuery {
        place_name: Some("starbucks".to_owned()),
        city: Some("san francisco".to_owned()),
        take: 1,
        ..PlaceQuery::default()
    };
    places.get(places.search(&query).places[0]).id
}

/// Returns the IDs of `count` displays in the sample release.
pub fn displays(count: usize) -> Vec<u32> {
    let inventory = Inventory::open(sample_release()).expect("the sample's inventory");
    inventory.indexes().take(count).map(|spot| inventory.id(spot).raw()).collect()
}

/// Returns the IDs of `count` displays in the sample release that have weekly impressions.
pub fn displays_with_impressions(count: usize) -> Vec<u32> {
    let inventory = Inventory::open(sample_release()).expect("the sample's inventory");
    let exposures = Exposures::open(sample_release()).expect("the sample's exposures");
    let has_impressions = |id: &SpotId| exposures.find(*id).is_some_and(|(one, _)| one.impressions.is_some());
    let ids = inventory.indexes().map(|spot| inventory.id(spot)).filter(has_impressions);
    let found: Vec<u32> = ids.take(count).map(SpotId::raw).collect();
    assert_eq!(found.len(), count, "the sample must have displays with impressions");
    found
}

/// Returns the IDs of `count` places in the sample release.
pub fn places(count: usize) -> Vec<u64> {
    let places = Places::open(sample_release()).expect("the sample's places");
    let found = places.search(&PlaceQuery { take: count, ..PlaceQuery::default() });
    found.places.into_iter().map(|place| places.get(place).id.raw()).collect()
}

/// Returns the ID of the sample release's cohort with the given key.
pub fn segment(key: &str) -> String {
    let population = Population::open(sample_release()).expect("the sample's population");
    let found =
        population.segments().find(|segment| segment.key == key).map(|segment| segment.id.to_string());
    found.unwrap_or_else(|| panic!("unknown cohort {key}"))
}
