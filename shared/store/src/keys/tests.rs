//! Compares the results of all key functions, and all key constants, with the expected keys.

use std::collections::BTreeSet;
use std::net::IpAddr;

use accounting::SessionId;

use super::*;

const DIGEST: &str = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";
const ASSET_ID: &str = "07070707-0707-0707-0707-070707070707";

/// Returns the name of each key function, along with its actual and expected results, in source order.
fn printed() -> Vec<(&'static str, String, String)> {
    let org: OrgId = "org_1".parse().expect("the organization ID is valid");
    let id = AssetId::from_bytes([7; 16]);
    let session = SessionId::of_address("203.0.113.9".parse().expect("the address is valid"));
    let grant: SecretDigest = DIGEST.parse().expect("the digest is valid");
    let event_id: EventId = "evt-1".parse().expect("the event ID is valid");
    let key_digest: SecretDigest = DIGEST.parse().expect("the digest is valid");
    let at = Timestamp::from_unix_seconds(7);
    let person = Subject::new("https://issuer.example", "subject-1");
    let expected = |key: &str| key.replace("DIGEST", DIGEST).replace("ASSET_ID", ASSET_ID);
    let printed = [
        ("account", account(&AccountKey::Org(org.clone())), "org#org_1"),
        ("account", account(&AccountKey::Session(session)), "session#39a6ff2840db55e9f1ff734349e22ddc"),
        ("organization", organization(&org), "org#org_1"),
        ("usage_of_month", usage_of_month(at.day().month()), "usage#1970-01"),
        ("usage_of_day", usage_of_day(at.day()), "usage#1970-01-01"),
        ("bill", bill(at.day().month()), "bill#1970-01"),
        ("grant_in_history", grant_in_history(&GrantId::from_random([7; 4])), "grant#07070707"),
        ("organization_in_directory", organization_in_directory(&org), "org_1"),
        ("key", key(&key_digest), "key#DIGEST"),
        ("key_in_list", key_in_list(&"0011aabb".parse().expect("valid ID")), "key#0011aabb"),
        (
            "subject",
            subject(&person),
            "subject#d22fc13fdd24ba364848a8bb0a1c334beed852d0efead55235854982ec6e4858",
        ),
        ("invitation", invitation(&DIGEST.parse().expect("valid digest")), "invitation#DIGEST"),
        (
            "invitation_in_list",
            invitation_in_list(&InvitationId::from_random([7; 8])),
            "invitation#inv_0707070707070707",
        ),
        ("webhook_in_list", webhook_in_list(&WebhookId::from_random([7; 8])), "webhook#wh_0707070707070707"),
        ("changes", changes(&org), "changes#org_1"),
        ("change", change(45), "change#00000000000000000045"),
        ("recorded", recorded("c4ca4238"), "record#c4ca4238"),
        (
            "deliveries",
            deliveries(&org, &WebhookId::from_random([7; 8])),
            "deliveries#org_1#wh_0707070707070707",
        ),
        ("delivery", delivery(&MessageId::of_test(at, [7; 8])), "delivery#000000000007000_0707070707070707"),
        (
            "account_api_rate",
            account_api_rate(&AccountApiCaller::Person(person.clone()), 7),
            "rate#person#d22fc13fdd24ba364848a8bb0a1c334beed852d0efead55235854982ec6e4858#7",
        ),
        (
            "account_api_rate",
            account_api_rate(
                &AccountApiCaller::Viewer {
                    link: grant.clone(),
                    address: SessionId::of_address(IpAddr::from([203, 0, 113, 9])),
                },
                7,
            ),
            "rate#link#DIGEST#39a6ff2840db55e9f1ff734349e22ddc#7",
        ),
        (
            "sign_up_of_person",
            sign_up_of_person(&person),
            "sign_up#person#d22fc13fdd24ba364848a8bb0a1c334beed852d0efead55235854982ec6e4858",
        ),
        (
            "sign_up_of_email",
            sign_up_of_email(&"Planner@Example.com".parse().expect("valid address")),
            "sign_up#email#1b68771f25021a7dc31a705f76648e2774c68f5abbd271b3877dd0b59eb116f9",
        ),
        ("sign_ups_of_day", sign_ups_of_day(at.day(), &SignUpGroup::Everyone), "sign_ups#1970-01-01"),
        (
            "sign_ups_of_day",
            sign_ups_of_day(at.day(), &SignUpGroup::Domain("example.com".to_owned())),
            "sign_ups#1970-01-01#domain#a379a6f6eeafb9a55e378c118034e2751e682fab9f2d30ab13d2125586ce1947",
        ),
        (
            "sign_ups_of_day",
            sign_ups_of_day(at.day(), &SignUpGroup::Range(IpAddr::from([203, 0, 113, 9]).into())),
            "sign_ups#1970-01-01#range#94c6699ed4d8ee6840d76f5a3dbf8764c9b1b9c03762f59a51061b947893560d",
        ),
        ("tile_grant", tile_grant(&grant), "tiles#DIGEST"),
        ("tile_grants", tile_grants(&org), "grants#org_1"),
        ("tile_grant_list", tile_grant_list(TileProduct::Places), "places#"),
        (
            "tile_grant_in_list",
            tile_grant_in_list(TileProduct::Displays, at, &grant),
            "displays#000000000007000#DIGEST",
        ),
        ("client_link", client_link(&grant), "link#DIGEST"),
        ("client_links", client_links(&org), "links#org_1"),
        ("slot", slot(7), "slot#07"),
        ("library", library(Family::Campaign, &org), "campaign#org_1"),
        ("by_state", by_state(Family::Event, &org, AssetState::InFlight), "event#org_1#in_flight"),
        ("asset", asset(id), "asset#ASSET_ID"),
        ("chunk_partition", chunk_partition(Family::Campaign, &org, id, 3), "campaign#org_1#ASSET_ID#3"),
        ("chunk", chunk(id, 3), "chunk#ASSET_ID#3"),
        ("count", count(id), "count#7"),
        (
            "customer_scenario",
            customer_scenario(&CustomerScenarioDigest::of_sha256(&[b"spring-1"])),
            "customer#8555c0d21d89b57e19d72e9a35767af5#",
        ),
        (
            "put",
            put(&CustomerScenarioDigest::of_sha256(&[b"spring-1"])),
            "put#8555c0d21d89b57e19d72e9a35767af5",
        ),
        (
            "customer",
            customer(&CustomerDigest::of_sha256(&[b"spring-1"])),
            "customer_id#8555c0d21d89b57e19d72e9a35767af5#",
        ),
        ("asset_of_customer", asset_of_customer("customer#", id), "customer#ASSET_ID"),
        ("tombstone", tombstone(id), "tombstone#ASSET_ID"),
        (
            "create",
            create(Family::Event, &org, &"k-1".parse().expect("valid key")),
            "event#org_1#create#7c35c5a1785d20704e44d5de4beb81c1fce91b6fe48ed7c3159af6f7f832078b",
        ),
        ("event", event(&event_id), "measured#evt-1"),
        ("applied_events", applied_events(Family::Event, &org, id), "event#org_1#ASSET_ID"),
        ("applied_to_asset", applied_to_asset(3), "applied#asset#0000000003"),
        ("applied_to_tombstone", applied_to_tombstone(1), "applied#tombstone#0000000001"),
        ("scheduled_checks", scheduled_checks(7), "due#7"),
        ("scheduled_checks_of", scheduled_checks_of(id), "due#7"),
        (
            "scheduled_check",
            scheduled_check(at, Family::Event, &org, id),
            "000000000007000#event#org_1#ASSET_ID",
        ),
        ("first_due_after", first_due_after(at), "000000000007001"),
    ];
    printed.map(|(function, key, exactly)| (function, key, expected(exactly))).into()
}

#[test]
fn keys_have_their_documented_form() {
    for (function, key, expected) in printed() {
        assert_eq!(key, expected, "{function}");
    }
    let constants = [
        ACCOUNT,
        KEY,
        NO_KEY,
        HEALTH,
        SUBJECT,
        MEMBER_LIST,
        ORGANIZATION,
        INVITATION,
        INVITATION_LIST,
        ACCOUNT_API_RATE,
        SIGN_UP,
        SIGN_UPS,
        TILE_GRANT,
        CLIENT_LINK,
        SLOTS,
        EVENT,
        REPORT,
        CREATE,
        ASSET,
        APPLIED,
        COUNT,
        KEY_LIST,
        GRANT_HISTORY,
        DIRECTORY,
        CREDITS_LOW,
        WEBHOOK_LIST,
        SEQUENCE,
        CHANGE,
        DELIVERY,
    ];
    let expected = [
        "account",
        "key",
        "key#health",
        "health",
        "subject",
        "subject#",
        "organization",
        "invitation",
        "invitation#",
        "rate",
        "sign_up",
        "sign_ups",
        "grant",
        "link",
        "slot#",
        "event",
        "report",
        "create",
        "asset#",
        "applied#",
        "count#",
        "key#",
        "grant#",
        "directory",
        "credits_low",
        "webhook#",
        "sequence",
        "change#",
        "delivery#",
    ];
    assert_eq!(constants, expected);
}

#[test]
fn every_key_function_is_tested() {
    let (code, _) = include_str!("../keys.rs").split_once("#[cfg(test)]").expect("code and tests");
    let name = |text: &'static str| text.split('(').next().expect("the function has a name");
    let functions: BTreeSet<_> = code.split("\npub(super) fn ").skip(1).map(name).collect();
    let rows: BTreeSet<_> = printed().into_iter().map(|(function, ..)| function).collect();
    assert_eq!(rows, functions);
}

#[test]
fn subjects_with_the_same_concatenation_have_different_keys() {
    assert_ne!(subject(&Subject::new("ab", "c")), subject(&Subject::new("a", "bc")));
}
