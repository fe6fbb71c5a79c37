//! docs/reference/products.md and openapi.yaml match the products and tiers in the code.

use accounting::{AccessTier, AuthRequirement, Product, SignUpGrant, Tier};
use harness::{Contract, OPERATIONS, grouped};
use strum::IntoEnumIterator;

const PRODUCTS: &str = include_str!("../../../docs/reference/products.md");

/// Returns the table rows under a heading in docs/reference/products.md.
fn rows(heading: &str) -> Vec<&'static str> {
    let (_, section) = PRODUCTS.split_once(&format!("## {heading}\n\n")).expect("a heading");
    section.lines().skip(2).take_while(|line| line.starts_with('|')).collect()
}

fn row(product: Product) -> String {
    let who = match product.auth() {
        AuthRequirement::Open => "anyone",
        AuthRequirement::Public => "anyone; a credential is checked",
        AuthRequirement::SearchKey => "API key, in `apikey`",
        AuthRequirement::SearchKeyOrBearer => "API key, in `apikey`, or bearer token",
        AuthRequirement::KeyOrBearer => "API key or bearer token",
        AuthRequirement::Anyone => "API key, bearer token, or anonymous session",
        AuthRequirement::Person => "bearer token",
        AuthRequirement::Member => "bearer token of a member",
    };
    let scope = match (product.scope(true), product.scope(false)) {
        (Some(reads), Some(writes)) if reads != writes => format!("`{reads}`, `{writes}`"),
        (Some(scope), _) => format!("`{scope}`"),
        (None, _) => String::new(),
    };
    let history = if product.requires_account() { "yes" } else { "" };
    let limit = product.caller_limit().map(|limit| limit.to_string()).unwrap_or_default();
    let body = match (product.max_body_bytes() / 1024, takes_a_body(product)) {
        (_, false) => String::new(),
        (kibibytes @ ..1024, true) => format!("{kibibytes} KiB"),
        (kibibytes, true) => format!("{} MiB", kibibytes / 1024),
    };
    let (name, credits) = (product.name(), product.credits());
    format!("| `{name}` | {credits} | {who} | {scope} | {history} | {limit} | {body} |")
}

fn takes_a_body(product: Product) -> bool {
    OPERATIONS.iter().any(|operation| operation.product == product && operation.body.is_some())
}

#[test]
fn products_page_lists_every_product() {
    let expected: Vec<_> = Product::iter().map(row).collect();
    assert_eq!(
        rows("Products"),
        expected,
        "docs/reference/products.md should have:\n{}",
        expected.join("\n")
    );
}

#[test]
fn products_page_lists_every_tier() {
    let row = |tier: AccessTier| {
        let first = match tier.sign_up_grant() {
            Some(SignUpGrant { kind, credits, days: 1 }) => {
                format!("{} {kind} credits for 1 day", grouped(credits))
            }
            Some(SignUpGrant { kind, credits, days }) => {
                format!("{} {kind} credits for {days} days", grouped(credits))
            }
            None => "none".to_owned(),
        };
        format!("| `{}` | {} | {first} |", tier.name(), grouped(tier.calls_per_minute().into()))
    };
    let tiers = [AccessTier::Anonymous].into_iter().chain(Tier::iter().map(AccessTier::Organization));
    let expected: Vec<_> = tiers.map(row).collect();
    assert_eq!(rows("Tiers"), expected, "docs/reference/products.md should have:\n{}", expected.join("\n"));
}

#[test]
fn openapi_and_the_errors_page_have_the_same_rates_and_prices() {
    let description =
        Contract::get().document()["info"]["description"].as_str().expect("openapi.yaml has a description");
    let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let rate = |tier| grouped(AccessTier::Organization(tier).calls_per_minute().into());
    let [sandbox, payg, enterprise] = [Tier::Sandbox, Tier::PayAsYouGo, Tier::Enterprise].map(rate);
    let SignUpGrant { credits, .. } =
        AccessTier::Anonymous.sign_up_grant().expect("sessions have an initial grant");
    let calls = AccessTier::Anonymous.calls_per_minute();
    for text in [
        format!(
            "{sandbox} calls per minute in the Sandbox tier, {payg} in Pay-as-you-go, and {enterprise} in \
             Enterprise"
        ),
        format!("{credits} credits and {calls} calls per minute for each session"),
        format!(
            "Most operations cost {} credit, population at home costs {}, and an estimate costs {}",
            Product::ScenarioCampaignCrud.credits(),
            Product::PopulationAtHome.credits(),
            Product::CampaignEstimate.credits()
        ),
    ] {
        assert!(description.contains(&text), "openapi.yaml: {text}");
    }
    let errors = include_str!("../../../docs/reference/errors.md").replace('\n', " ");
    for expected in [
        format!("population at home costs {}. Cohorts, markets", Product::PopulationAtHome.credits()),
        format!("An estimate costs {} credits", Product::CampaignEstimate.credits()),
        format!("An estimate costs {} credits", Product::EventEstimate.credits()),
    ] {
        assert!(errors.contains(&expected), "docs/reference/errors.md: {expected}");
    }
}
