"""Creates organizations, owners, keys, and tokens for Schemathesis."""

import time
import urllib.parse

from people import CAMPAIGN, EVENT, sign_in
from receiver import Receiver

SCOPES = ["scenarios:read", "scenarios:write", "measurements", "inventory", "analytics", "tiles", "billing"]
# An organization can have ten active keys. The remaining four are for calls that create keys.
KEYS = 6
CREDITS = 100_000_000
PRODUCTS = ("displays", "places")
# Created for each organization, so that calls with IDs can succeed from the start.
ASSETS = {"/scenarios/campaigns": CAMPAIGN, "/scenarios/events": EVENT}


# Accepts all deliveries.
RECEIVER = Receiver()


def create_all(service, seed, count):
    """Creates `count` organizations with enough credits, an owner, keys, and other test data."""
    return [organization(service, f"{seed}-{number}") for number in range(count)]


def known(service, key):
    """Returns IDs and names from the release, so that calls with them find results."""
    def asked(method, path, body=None):
        return service.call(method, f"/v2{path}", body, key=key).json

    types = ("DMA", "MSA", "CBSA", "COUNTY", "STATE", "ZIP")
    markets = {name: asked("GET", f"/markets?geography_type={name}&limit=20")["data"] for name in types}
    anytime = asked("POST", "/cohorts/search", {"service_data_product_name": "Population Anytime"})["cohorts"]
    places = asked("POST", "/msearch", {"sort": {"active": "weekly_visits", "direction": "desc"}})["data"]
    busiest = {"sort": {"field": "weekly_impressions", "order": "desc"}, "fieldSet": ["spot_id"]}
    displays = service.call("POST", "/msearch/inventory", busiest, headers={"apikey": key}).json["results"]
    states = ["CA", "california"] + [market["name"] for market in markets["STATE"]]
    of_type = {"dma_name": "DMA", "cbsa_name": "CBSA", "county_name": "COUNTY"}
    return {
        "geographies": {name: [market["market_id"] for market in markets[name]] for name in types},
        "states": states,
        "names": {"state": states, "venue_type": ["transit", "outdoor.billboards.roadside"]} | {
            member: [market["name"] for market in markets[name]] for member, name in of_type.items()},
        "segments": [cohort["service_segment_id"] for cohort in anytime],
        "displays": [str(display["spot_id"]) for display in displays],
        "places": [int(place["place_id"]) for place in places["results"]],
        "place_types": [kind["place_type_name"] for kind in asked("GET", "/place/types")["data"]],
    }


def organization(service, name):
    """Signs up a Sandbox organization, and changes its tier to Enterprise with an administrator's command."""
    token = sign_in(service, f"owner-{name}@example.com").token
    account = service.done("POST", "/v2/account/organization", {"name": name}, token=token)
    org = account["organization"]["org_id"]
    service.operate("org", "tier", org, "--tier", "enterprise")
    service.operate("credits", "grant", org, "--kind", "promotional", "--credits", str(CREDITS))
    keys = [create_key(service, token, label) for label in range(KEYS)]
    return {"org": org, "token": token, "keys": keys,
            "made": made(service, keys[0], token, name),
            "tile_grants": {product: tile_grant(service, keys[0], product) for product in PRODUCTS},
            "client_link": client_link(service, keys[0]),
            "delivery": delivery(service, token),
            "invited": invited(service, token, f"invited-{name}"),
            "colleague": colleague(service, token, name)}


def create_key(service, token, label):
    key = {"label": f"key {label}", "scopes": SCOPES}
    return service.done("POST", "/v2/account/keys", key, token=token)["api_key"]


def made(service, key, owner, name):
    """Creates two assets of each library, one of them to measure, and an invitation.

    Returns their IDs by path prefix.
    """
    assets = {f"{path}/": [service.done("POST", f"/v2{path}", body, key=key)["asset_id"]]
              for path, body in ASSETS.items()}
    body = {"email": f"pending-{name}@example.com", "role": "member"}
    invitation = service.done("POST", "/v2/account/invitations", body, token=owner)
    measured = {path.replace("scenarios", "measures") + "/":
                [service.done("POST", f"/v2{path}", body, key=key)["asset_id"]]
                for path, body in ASSETS.items()}
    return {**assets, **measured, "/account/invitations/": [invitation["invitation_id"]],
            "/account/webhooks/": [webhook(service, owner, "https://hooks.invalid/marquee")]}


def webhook(service, owner, url):
    """Creates a webhook, and returns its ID."""
    body = {"url": url, "event_types": ["credits.low"]}
    return service.done("POST", "/v2/account/webhooks", body, token=owner)["webhook_id"]


def delivery(service, owner):
    """Creates a webhook with a delivery that has succeeded, and returns their IDs."""
    created = webhook(service, owner, RECEIVER.url)
    path = f"/v2/account/webhooks/{created}"
    service.done("POST", f"{path}/test", token=owner)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        [sent] = service.done("GET", f"{path}/deliveries", token=owner)
        if sent["state"] == "succeeded":
            return {"webhook_id": created, "delivery_id": sent["delivery_id"]}
        time.sleep(0.2)
    raise RuntimeError(f"the delivery hasn't succeeded within 20 seconds: {sent}")


def tile_grant(service, key, product):
    """Creates a tile grant for a product, and returns the grant and a token."""
    body = {"allowed_origins": ["https://maps.example.com"], "expires_in_days": 365}
    grant = service.done("POST", f"/v2/{product}/tiles/grants", body, key=key)["grant_id"]
    tiles = service.call("GET", f"/v2/{product}/tiles/grants/{grant}/tilejson").json["tiles"][0]
    return {"grant_id": grant, "token": urllib.parse.parse_qs(urllib.parse.urlsplit(tiles).query)["token"][0]}


def client_link(service, key):
    """Creates a client link to a campaign that no other call knows, and returns the link's token."""
    library = "/scenarios/campaigns"
    asset = service.done("POST", f"/v2{library}", ASSETS[library], key=key)["asset_id"]
    links = f"/v2{library}/{asset}/links"
    url = service.done("POST", links, {"expires_in_days": 90}, key=key)["url"]
    return url.partition("#")[2]


def invited(service, owner, name):
    """Invites a person, and returns the person's token and the invitation."""
    email = f"{name}@example.com"
    body = {"email": email, "role": "member"}
    invitation = service.done("POST", "/v2/account/invitations", body, token=owner)
    token = sign_in(service, email).token
    person = service.done("GET", "/v2/account", token=token)["person"]
    return {"token": token, "member_id": person["member_id"], "invitation": invitation["token"]}


def colleague(service, owner, name):
    """Adds a member by invitation. Calls that read or remove members use this member."""
    person = invited(service, owner, f"colleague-{name}")
    accepted = {"token": person["invitation"]}
    service.done("POST", "/v2/account/invitations/accept", accepted, token=person["token"])
    return person
