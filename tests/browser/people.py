"""The people and organizations in the tests, with their campaigns, events, and credits."""

import base64
import hashlib
import json
import typing
import urllib.parse
import urllib.request

# The developer's organization exists from the start. It has credits, and can make 1,000 calls per minute.
DEVELOPER = "developer@example.com"
ORGANIZATION = "org_enterprise"

EVERYONE = "272d18b6-2ce5-5301-87a8-b41e86cc9d31"
YOUNG_ADULTS = "10a19720-9af1-519f-9ff6-a129fe8adb3e"
COFFEE_SHOP = "825250465966"

# The portal's client ID at the local OpenID provider.
CLIENT = "marquee-local"

# The page for requesting more credits, which some services are started with as `--support-url`.
SUPPORT = "https://support.example.com/credits"

CAMPAIGN = {
    "campaign": {"name": "Spring launch"},
    "flight": {"start_date": "2027-04-05", "end_date": "2027-06-27"},
    "spots": [{"display_id": "10528839", "spot_id": 1}, {"display_id": "10528840", "spot_id": 2}],
    "cohort": {
        "geography_ids": ["US2020XDMA501"],
        "service_segment_ids": [YOUNG_ADULTS],
        "service_base_segment_id": EVERYONE,
    },
    "customer": {
        "customer_id": 7,
        "customer_name": "Example Coffee",
        "customer_scenario_id": "spring-1",
        "customer_scenario_name": "Spring",
    },
}
EVENT = {
    "name": "Summer concerts",
    "description": "Two evenings at the coffee shop",
    "periods": [
        {"period_name": "First evening", "start_time": "2027-07-04T18:00:00-07:00",
         "end_time": "2027-07-04T23:00:00-07:00"},
        {"period_name": "Second evening", "start_time": "2027-07-05T18:00:00-07:00",
         "end_time": "2027-07-05T23:00:00-07:00"},
    ],
    "place_ids": [COFFEE_SHOP],
    "cohort": {"geography_ids": ["US2020XDMA819"], "service_segment_id": YOUNG_ADULTS},
    "customer": {"customer_id": "EX-4711", "customer_scenario_id": "summer-2027",
                 "customer_scenario_name": "Summer 2027"},
    "timezone": "America/Los_Angeles",
}


class SignIn(typing.NamedTuple):
    """A person's ID token, and the cookie of their session at the local OpenID provider (`name=value`)."""

    token: str
    cookie: str


def create_campaign(service, **changes):
    """Creates a campaign in the developer's organization, and returns the campaign's ID."""
    return create(service, "campaigns", {**CAMPAIGN, **changes})


def create_event(service, **changes):
    """Creates an event in the developer's organization, and returns the event's ID."""
    return create(service, "events", {**EVENT, **changes})


def create(service, family, body):
    key = service.credentials["enterprise_key"]
    return service.done("POST", f"/v2/scenarios/{family}", body, key=key)["asset_id"]


def create_grants(service):
    """Creates the tile grants for the portal's maps, as the first page with a map does."""
    grant = {"label": "portal", "allowed_origins": [service.origin]}
    for product in ("displays", "places"):
        service.done("POST", f"/v2/{product}/tiles/grants", grant, key=service.credentials["enterprise_key"])


def measured(service, family, asset_id, *events):
    """Sends measurement events, such as `purchased`, for an asset in the developer's organization."""
    for event in events:
        service.operate("measurement", "send", "--org", ORGANIZATION, "--family", family, "--asset", asset_id,
                        "--type", event)


def move(service, token, organization, credits, expires=None):
    """Creates an organization with the given credits, owned by the token's person."""
    service.operate("org", "create", "--id", organization, "--tier", "enterprise")
    if credits:
        until = ["--expires", str(expires)] if expires else []
        service.operate("credits", "grant", organization, "--kind", "promotional", "--credits", str(credits),
                        *until)
    join(service, organization, token)


def join(service, organization, token):
    """Uses an administrator command to make the token's person an owner of an organization."""
    claims = claims_of(token)
    service.operate("org", "add-member", organization, "--issuer", claims["iss"], "--subject", claims["sub"],
                    "--role", "owner")


def sign_in(service, email):
    """Signs a person in at the local OpenID provider, using the same requests as the portal."""
    verifier = "v" * 43
    digest = hashlib.sha256(verifier.encode()).digest()
    back = f"{service.origin}/portal/signed-in"
    query = urllib.parse.urlencode({
        "client_id": CLIENT, "redirect_uri": back, "response_type": "code", "scope": "openid email profile",
        "code_challenge_method": "S256",
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()})
    answer = posted(f"{service.origin}/oauth2/authorize?{query}", {"email": email, "verified": "on"})
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["Location"]).query)["code"][0]
    tokens = posted(f"{service.origin}/oauth2/token", {
        "client_id": CLIENT, "grant_type": "authorization_code", "code": code, "redirect_uri": back,
        "code_verifier": verifier})
    return SignIn(json.load(tokens)["id_token"], answer.headers["Set-Cookie"].partition(";")[0])


class NoRedirect(urllib.request.HTTPErrorProcessor):
    """Returns redirects to the caller, because the address of a redirect contains the code."""

    def http_response(self, request, response):
        return response


def posted(url, form):
    request = urllib.request.Request(url, urllib.parse.urlencode(form).encode())
    return urllib.request.build_opener(NoRedirect).open(request)


def claims_of(token):
    """Returns a token's claims."""
    claims = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
