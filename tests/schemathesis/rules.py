"""Rules of valid calls that a JSON schema can't express.

Each rule changes calls that are meant to be valid, so that the service doesn't reject them. The docstring
states the rule as openapi.yaml does. Calls that are meant to be invalid stay unchanged.
"""

import datetime
import itertools

# One in KNOWN calls uses an existing ID. The other calls don't find anything.
KNOWN = 2
# Larger pages can exceed the maximum response size, which the service rejects.
LARGEST_PAGE = 200
# The maximum of `page` times `page_size`.
DEEPEST = 10_000
TIMEZONES = ("America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC", "America/Argentina/Buenos_Aires")
PERIOD = {"start_time": "2027-07-04T18:00:00-07:00", "end_time": "2027-07-04T23:00:00-07:00"}
READ_ONLY = ("asset_id", "org_id", "state", "version", "last_measured_at", "created_at", "updated_at")
LAYERS = {"displays": "faces", "places": "places"}

turns = itertools.count()


def keep(case, known, caller):
    """Applies the rules for a call's operation."""
    for rule in RULES.get(case.operation.definition.raw["operationId"], ()):
        rule(case, known, caller)


def one_of(values):
    return values[next(turns) % len(values)]


def sometimes():
    return next(turns) % KNOWN == 0


def members(value, name):
    """Yields all nested objects that have a member with the given name."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name:
                yield value
            yield from members(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner, name)


def filters(body):
    """Yields all filters, including those of places near a display."""
    for name in ("filter", "filters"):
        for owner in members(body, name):
            yield owner[name] or {}


def in_order(value, start, end):
    if value[start] > value[end]:
        value[start], value[end] = value[end], value[start]


def dates(case, known, caller):
    """Dates must exist, and `start_date` must not be after `end_date`."""
    for flight in members(case.body, "start_date"):
        for name in ("start_date", "end_date"):
            flight[name] = flight[name] if is_date(flight[name]) else "2027-04-05"
        in_order(flight, "start_date", "end_date")


def is_date(text):
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def times(case, known, caller):
    """`start_time` must be before `end_time`."""
    for period in members(case.body, "start_time"):
        try:
            start, end = (datetime.datetime.fromisoformat(period[name].upper()) for name in PERIOD)
            is_before = start < end
        except (ValueError, OverflowError):
            is_before = False
        if not is_before:
            period.update(PERIOD)


def timezone(case, known, caller):
    """`timezone` must be an IANA name."""
    if isinstance(case.body, dict) and "timezone" in case.body:
        case.body["timezone"] = one_of(TIMEZONES)


def geographies(case, known, caller):
    """All geography IDs must exist."""
    for cohort in members(case.body, "geography_ids"):
        cohort["geography_ids"] = [one_of(known["geographies"]["DMA"]) for _ in cohort["geography_ids"]]


def estimate(case, known, caller):
    """A flight has at most 366 days, a display must have impressions, and both cohorts must exist."""
    body = case.body
    if "asset_id" in body:
        return
    start = datetime.date.fromisoformat(body["flight"]["start_date"])
    if (datetime.date.fromisoformat(body["flight"]["end_date"]) - start).days > 365:
        body["flight"]["end_date"] = body["flight"]["start_date"]
    body["spots"][0]["display_id"] = one_of(known["displays"])
    body["cohort"]["service_segment_ids"][0] = one_of(known["segments"])
    body["cohort"]["service_base_segment_id"] = one_of(known["segments"])


def estimate_of_event(case, known, caller):
    """An event lasts at most 366 days, a place must have visits, and the cohort must exist."""
    body = case.body
    if "asset_id" in body:
        return
    for period in body["periods"]:
        period.update(PERIOD)
    body["place_ids"][0] = str(one_of(known["places"]))
    body["cohort"]["service_segment_id"] = one_of(known["segments"])


def areas(case, known, caller):
    """`geography_ids` must exist and have the type in `geography_type`. States must exist."""
    body = case.body
    of_type = known["geographies"][body["geography_type"][0].upper()]
    if body.get("geography_ids"):
        body["geography_ids"] = [one_of(of_type) for _ in body["geography_ids"]]
    if body.get("state") is not None:
        body["state"] = one_of(known["states"])
    if sometimes():
        body["service_segment_id"] = one_of(known["segments"])


def state(case, known, caller):
    """A state must be an existing code or name."""
    if "state" in case.query:
        case.query["state"] = one_of(known["states"])


def version(case, known, caller):
    """Replaces half of the versions in `If-Match` with `*`, because most versions return a 412."""
    if "If-Match" in case.headers and sometimes():
        case.headers["If-Match"] = "*"


def read_only(case, known, caller):
    """Removes the read-only members of an asset, because only their current values are valid."""
    if isinstance(case.body, dict):
        for name in READ_ONLY:
            case.body.pop(name, None)


def cursor(case, known, caller):
    """A cursor is valid only for the organization, library, and filters that it was issued for."""
    if "cursor" not in case.query:
        return
    issued = caller["cursors"].get(case.path + str(case.path_parameters))
    case.query = {"cursor": issued} if issued else {k: v for k, v in case.query.items() if k != "cursor"}


def days(case, known, caller):
    """`from` must not be after `to` or more than 13 months ago. `to` must not be after today."""
    today = datetime.datetime.now(datetime.UTC).date()
    for name, day in (("from", today - datetime.timedelta(days=30)), ("to", today)):
        if name in case.query:
            case.query[name] = day.isoformat()


def page(case, known, caller):
    """A page must fit into a response, and end at or before the 10,000th result."""
    asked = case.body.get("pagination") or {}
    size = asked.get("page_size")
    if size is not None:
        asked["page_size"] = size = min(size, LARGEST_PAGE)
    if asked.get("page") is not None:
        asked["page"] = min(asked["page"], DEEPEST // (size or LARGEST_PAGE))


def distance(case, known, caller):
    """`distance` in `sort` or `fieldSet` requires `geo_distance`."""
    body = case.body
    criteria = body.get("filter") or body.get("filters") or {}
    if criteria.get("geo_distance"):
        return
    if body.get("fieldSet"):
        body["fieldSet"] = [path for path in body["fieldSet"] if path != "distance"]
    sort = body.get("sort") or {}
    for name in ("active", "field"):
        if sort.get(name) == "distance":
            sort[name] = None


def box(case, known, caller):
    """The top must not be below the bottom."""
    for area in members(case.body, "top_left"):
        if area["top_left"]["lat"] < area["bottom_right"]["lat"]:
            top_left, bottom_right = area["top_left"], area["bottom_right"]
            top_left["lat"], bottom_right["lat"] = bottom_right["lat"], top_left["lat"]


def place_type(case, known, caller):
    """`place_type_name` must exist."""
    for criteria in filters(case.body):
        if criteria.get("place_type_name") is not None:
            criteria["place_type_name"] = one_of(known["place_types"])


def names(case, known, caller):
    """Names of areas must exist."""
    for criteria in filters(case.body):
        for name, text in criteria.items():
            if text is not None and name in known["names"]:
                criteria[name] = one_of(known["names"][name])


def words(case, known, caller):
    """A string must not be blank after normalization. Accents count as blank."""
    for criteria in filters(case.body):
        for name, text in criteria.items():
            if isinstance(text, str) and not any(letter.isalnum() for letter in text):
                criteria[name] = "Main St"


def near_places(case, known, caller):
    """The filter of `near_places` and `not_near_places` must match at most 5,000 places."""
    for name in ("near_places", "not_near_places"):
        for near in [owner[name] for owner in members(case.body, name) if owner[name]]:
            near["filter"] = (near.get("filter") or {}) | {"place_ids": [one_of(known["places"])]}


def bounds(case, known, caller):
    """`id_min` must not exceed `id_max`."""
    for criteria in members(case.body, "id_min"):
        if None not in (criteria["id_min"], criteria.get("id_max")):
            in_order(criteria, "id_min", "id_max")


def lookup(case, known, caller):
    """A lookup has `spot_ids`, or `media_owner` with `plant_spot_ids`, or all three."""
    if (case.body.get("media_owner") is None) != (case.body.get("plant_spot_ids") is None):
        case.body.pop("media_owner", None)
        case.body.pop("plant_spot_ids", None)
    if case.body.get("spot_ids") is None and case.body.get("media_owner") is None:
        case.body["spot_ids"] = [1]


def located(case, known, caller):
    """An input has an address, a city, a ZIP code, or a location."""
    for given in case.body["inputs"]:
        if all(given.get(name) is None for name in ("address", "city", "zip_code", "location")):
            given["zip_code"] = "98104"


def compared(case, known, caller):
    """`by_place` requires cohorts of `Population Anytime`, and at most 100 places."""
    by_place = case.body.get("by_place")
    if by_place:
        by_place["service_segment_ids"] = [one_of(known["segments"]) for _ in by_place["service_segment_ids"]]
        case.body["place_id"] = case.body["place_id"][:100]
    if sometimes():
        case.body["place_id"] = case.body["place_id"][:99] + [one_of(known["places"])]


def place(case, known, caller):
    """Half of the profile calls use existing places."""
    if sometimes():
        case.path_parameters["place_id"] = str(one_of(known["places"]))


def ipv6(case, known, caller):
    """Brackets in an origin must contain an IPv6 address, and with `http` a loopback address."""
    if isinstance(case.body, dict):
        origins = case.body["allowed_origins"]
        case.body["allowed_origins"] = ["https://[2001:db8::1]" if "[" in text else text for text in origins]


def visits(case, known, caller):
    """Tiles of displays don't contain visits."""
    if isinstance(case.body, dict) and case.path_parameters["product"] == "displays":
        case.body["include_visits"] = False


def tile(case, known, caller):
    """Half of the tile calls use a valid token and the layer of the product."""
    product = case.path_parameters["product"]
    if product in LAYERS and sometimes():
        case.query["token"] = caller["tile_grants"][product]["token"]
        case.path_parameters["layer"] = LAYERS[product]
        # Zoom level z has 2^z columns and rows. URLs from a TileJSON's `tiles` don't contain numbers.
        if all(str(case.path_parameters[name]).isdecimal() for name in "zxy"):
            side = 2 ** int(case.path_parameters["z"])
            for name in ("x", "y"):
                case.path_parameters[name] = int(case.path_parameters[name]) % side


def tilejson(case, known, caller):
    """Half of the TileJSON calls use an existing grant, whose ID is the credential."""
    product = case.path_parameters["product"]
    if product in LAYERS and sometimes():
        case.path_parameters["grant_id"] = caller["tile_grants"][product]["grant_id"]


def client_link(case, known, caller):
    """Half of the views use an existing link."""
    if sometimes():
        case.headers["X-Client-Link"] = caller["client_link"]


def measured(case, known, caller):
    """The asset must be estimable. Each caller has one such asset of each family."""
    prefix = case.path.removesuffix("{asset_id}")
    case.path_parameters["asset_id"] = caller["made"][prefix][0]


def own_id(case, known, caller):
    """The body's `customer_scenario_id` must be the one in the path."""
    own = case.path_parameters["customer_scenario_id"] = one_of(("own-1", "own 2", "é"))
    case.body["customer"]["customer_scenario_id"] = own


def webhook_url(case, known, caller):
    """A webhook's URL must contain a host name. `hooks.invalid` has no address, so nothing is sent."""
    if isinstance(case.body, dict) and "url" in case.body:
        case.body["url"] = "https://hooks.invalid/marquee"


def ended_delivery(case, known, caller):
    """Half of the redeliveries are of a delivery that has ended."""
    if sometimes():
        case.path_parameters.update(caller["delivery"])


def compared_with(case, known, caller):
    """The cohort of a search by index must exist."""
    if case.body.get("service_segment_id") is not None:
        case.body["service_segment_id"] = one_of(known["segments"])


RULES = {
    "buy_campaign_measurement": (measured,),
    "buy_event_measurement": (measured,),
    "create_campaign": (dates, geographies),
    "edit_campaign": (dates, geographies, version, read_only),
    "estimate_campaign": (dates, geographies, estimate),
    "estimate_event": (times, timezone, geographies, estimate_of_event),
    "create_event": (times, timezone, geographies),
    "edit_event": (times, timezone, geographies, version, read_only),
    "put_campaign": (dates, geographies, version, own_id),
    "put_event": (times, timezone, geographies, version, own_id),
    "delete_campaign": (version,),
    "delete_event": (version,),
    "list_campaigns": (cursor,),
    "list_events": (cursor,),
    "list_markets": (state, cursor),
    "list_tile_grants": (cursor,),
    "list_changes": (cursor,),
    "create_webhook": (webhook_url,),
    "edit_webhook": (webhook_url,),
    "redeliver_webhook_delivery": (ended_delivery,),
    "read_usage": (days,),
    "match_places": (located,),
    "search_places": (page, distance, box, words, place_type, names),
    "search_inventory": (page, distance, box, near_places, words, place_type, bounds, names, compared_with),
    "look_up_displays": (lookup,),
    "read_population_at_home": (page, areas),
    "report_places": (compared,),
    "read_place_profile": (place,),
    "create_tile_grant": (ipv6, visits),
    "read_tile": (tile,),
    "read_tilejson": (tilejson,),
    "read_client_campaign": (client_link,),
}
