//! The portal binary as deployed, which serves pages and files and needs neither tables nor permissions.

use std::collections::BTreeSet;
use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use harness::runtime_api::{FunctionProcess, binary};
use serde_json::{Value, json};

use super::events::folder;
use super::runtime::answered;
use super::template::Template;

/// The environment variables that the template sets for a stack with its own user pool.
const VARIABLES: [(&str, &str); 8] = [
    ("OIDC_ISSUER", "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Example"),
    ("OIDC_AUDIENCE", ""),
    ("SIGN_IN_URL", "https://marquee-1a2b3c4d.auth.us-east-1.amazoncognito.com"),
    ("SUPPORT_URL", "mailto:credits@example.com"),
    ("BASEMAP_STYLE_URL", "https://tiles.example.com/gray.json"),
    ("BASEMAP_ORIGINS", "https://fonts.example.com"),
    ("SELF_SIGN_UP", "on"),
    ("AWS_LAMBDA_HTTP_IGNORE_STAGE_IN_PATH", "true"),
];

async fn start() -> FunctionProcess {
    FunctionProcess::start(binary("portal"), &VARIABLES).await
}

fn event(file: &str) -> Value {
    let text = fs::read_to_string(folder().join("portal").join(file)).expect("an event file");
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the sample page event with a different method and path.
fn request(method: &str, path: &str) -> Value {
    let mut event = event("page.json");
    event["rawPath"] = json!(path);
    event["requestContext"]["http"]["method"] = json!(method);
    event["requestContext"]["http"]["path"] = json!(path);
    event
}

async fn send(process: &mut FunctionProcess, event: &Value) -> Value {
    answered(process.invoke(&event.to_string()).await)
}

/// Returns the text between the first `before` and the next `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} in {rest}")).0
}

#[test]
fn portal_events_use_the_portal_routes() {
    let template = Template::read();
    let files = fs::read_dir(folder().join("portal")).expect("a folder of events");
    let mut names: Vec<_> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["front-door.json", "page.json"]);
    for file in names {
        let event = event(&file);
        let route = template.route_of(event["rawPath"].as_str().expect("a path"));
        assert_eq!(route.binary, "portal", "{file}");
        assert_eq!(event["routeKey"], format!("ANY {}", route.path.expect("a path")), "{file}");
    }
}

#[test]
fn user_pool_client_allows_only_the_code_flow_and_portal_redirects() {
    let template = Template::read();
    let properties = |name: &str| template.value()["Resources"][name]["Properties"].clone();
    let client = properties("UserPoolClient");
    let expected = [
        ("GenerateSecret", json!(false)),
        ("AllowedOAuthFlowsUserPoolClient", json!(true)),
        ("AllowedOAuthFlows", json!(["code"])),
        ("AllowedOAuthScopes", json!(["openid", "email", "profile"])),
        ("SupportedIdentityProviders", json!(["COGNITO"])),
    ];
    for (name, value) in expected {
        assert_eq!(client[name], value, "{name}");
    }
    let main_api = "https://${HttpApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}";
    for (name, page) in [("CallbackURLs", "/portal/signed-in"), ("LogoutURLs", "/portal/signed-out")] {
        let own_domain = json!(["OwnDomain", format!("${{PublicUrl}}{page}"), "AWS::NoValue"]);
        assert_eq!(client[name], json!([format!("{main_api}{page}"), own_domain]), "{name}");
        assert_eq!(template.route_of(page).binary, "portal");
    }
    assert_eq!(properties("UserPoolDomain")["ManagedLoginVersion"], 2);
    let branding = properties("SignInBranding");
    assert_eq!(
        (&branding["ClientId"], &branding["UserPoolId"]),
        (&json!("UserPoolClient"), &json!("UserPool"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn page_configuration_comes_from_environment_and_stage_variables() {
    let mut process = start().await;
    let answer = send(&mut process, &event("page.json")).await;
    assert_eq!((&answer["statusCode"], &answer["isBase64Encoded"]), (&json!(200), &json!(false)), "{answer}");
    let html = answer["body"].as_str().expect("a string");
    let configuration = between(html, "id=\"configuration\">", "</script>");
    let configuration: Value = serde_json::from_str(configuration).expect("JSON");
    let search_url = "https://f6g7h8i9j0.execute-api.us-east-1.amazonaws.com";
    let expected = json!({
        "issuer": VARIABLES[0].1,
        "client_id": "1example23456789",
        "sign_out_url": format!("{}/logout", VARIABLES[2].1),
        "search_url": search_url,
        "support_url": "mailto:credits@example.com",
        "base_map": { "style_url": "https://tiles.example.com/gray.json" },
        "self_sign_up": true,
        "local": false,
    });
    assert_eq!(configuration, expected);
    let policy = answer["headers"]["content-security-policy"].as_str().expect("a policy");
    let connections: BTreeSet<_> = between(policy, "connect-src ", ";").split(' ').collect();
    let issuer = "https://cognito-idp.us-east-1.amazonaws.com";
    let map = ["https://fonts.example.com", "https://tiles.example.com"];
    let expected = ["'self'", issuer, VARIABLES[2].1, search_url].into_iter().chain(map);
    assert_eq!(connections, expected.collect());
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(answer["headers"]["cache-control"], "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn root_redirects_to_the_portal_and_files_are_immutable() {
    let mut process = start().await;
    let answer = send(&mut process, &event("front-door.json")).await;
    assert_eq!((&answer["statusCode"], &answer["headers"]["location"]), (&json!(307), &json!("/portal/")));

    let shell = send(&mut process, &request("GET", "/portal/")).await;
    let files = between(shell["body"].as_str().expect("a string"), "/portal/files/", "\"");
    let (digest, _) = files.split_once('/').expect("a digest");
    let answer = send(&mut process, &request("GET", &format!("/portal/files/{digest}/main.js"))).await;
    assert_eq!((&answer["statusCode"], &answer["isBase64Encoded"]), (&json!(200), &json!(true)), "{answer}");
    assert_eq!(answer["headers"]["content-encoding"], "gzip");
    let kept = answer["headers"]["cache-control"].as_str().expect("a string");
    assert!(kept.contains("immutable"), "{kept}");
    let body = STANDARD.decode(answer["body"].as_str().expect("a string")).expect("base64");
    assert!(body.starts_with(&[0x1f, 0x8b]), "gzip");

    for (method, path, status) in [
        ("GET", format!("/portal/files/{digest}/nothing.js"), 404),
        ("GET", "/portal/files/0000000000000000/main.js".to_owned(), 404),
        ("POST", "/portal/planner".to_owned(), 405),
    ] {
        let answer = send(&mut process, &request(method, &path)).await;
        assert_eq!(answer["statusCode"], status, "{method} {path}");
    }
    let lines = process.stop().await;
    assert!(lines.iter().all(|line| !line.contains("\"level\":\"ERROR\"")), "{lines:?}");
}
