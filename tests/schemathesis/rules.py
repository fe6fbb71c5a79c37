"""Rules of valid calls that no JSON schema can say. Calls that are meant to be valid are made to keep them.

Each rule says in openapi.yaml's words why the service would refuse the call. Nothing is done to calls that
are meant to be invalid.
"""

import datetime
import itertools

# One call in so many asks for an id that there is; the others go on finding nothing.
KNOWN = 2
# A page that would be larger than an answer may be is refused, with the number of records that fit in it.
LARGEST_PAGE = 200
# `page` times `page_size` may be 10,000 at most.
DEEPEST = 10_000
TIMEZONES = ("America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC", "America/Argentina/Buenos_Aires")
PERIOD = {"start_time": "2027-07-04T18:00:00-07:00", "end_time": "2027-07-04T23:00:00-07:00"}
LAYERS = {"displays": "faces", "places": "places"}

turns = itertools.count()


def keep(case, known, caller):
    """Makes a call keep the rules of its operation, for whoever makes it."""
    for rule in RULES.get(case.operation.definition.raw["operationId"], ()):
        rule(case, known, caller)


def one_of(values):
    return values[next(turns) % len(values)]


def sometimes():
    return next(turns) % KNOWN == 0


def members(value, name):
    """The objects that are a member of this name, wherever it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name:
                yield value
            yield from members(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner, name)


def in_order(value, start, end):
    if value[start] > value[end]:
        value[start], value[end] = value[end], value[start]


def dates(case, known, caller):
    """Dates must exist, and `start_date` must not lie after `end_date`."""
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
    """`start_time` must lie before `end_time`."""
    for period in members(case.body, "start_time"):
        try:
            start, end = (datetime.datetime.fromisoformat(period[name].upper()) for name in PERIOD)
            lies_before = start < end
        except (ValueError, OverflowError):
            lies_before = False
        if not lies_before:
            period.update(PERIOD)


def timezone(case, known, caller):
    """`timezone` must be an IANA name."""
    if isinstance(case.body, dict) and "timezone" in case.body:
        case.body["timezone"] = one_of(TIMEZONES)


def geographies(case, known, caller):
    """Every geography id must be known."""
    for cohort in members(case.body, "geography_ids"):
        cohort["geography_ids"] = [one_of(known["geographies"]["DMA"]) for _ in cohort["geography_ids"]]


def areas(case, known, caller):
    """Each of `geography_ids` must be of `geography_type` and of this release; a state must be known."""
    body = case.body
    of_type = known["geographies"][body["geography_type"][0].upper()]
    if body.get("geography_ids"):
        body["geography_ids"] = [one_of(of_type) for _ in body["geography_ids"]]
    if body.get("state") is not None:
        body["state"] = one_of(known["states"])
    if sometimes():
        body["service_segment_id"] = one_of(known["segments"])


def state(case, known, caller):
    """A state must be known by its letters or its name."""
    if "state" in case.query:
        case.query["state"] = one_of(known["states"])


def version(case, known, caller):
    """Half of the calls that name a version of an asset take whichever there is: others are mostly 412."""
    if "If-Match" in case.headers and sometimes():
        case.headers["If-Match"] = "*"


def cursor(case, known, caller):
    """A cursor is valid only for the organization, the library and the filters that it was issued for."""
    if "cursor" not in case.query:
        return
    issued = caller["cursors"].get(case.path + str(case.path_parameters))
    case.query = {"cursor": issued} if issued else {k: v for k, v in case.query.items() if k != "cursor"}


def days(case, known, caller):
    """`from` must not be after `to`, nor more than 13 months ago; `to` is at the latest today."""
    today = datetime.datetime.now(datetime.UTC).date()
    for name, day in (("from", today - datetime.timedelta(days=30)), ("to", today)):
        if name in case.query:
            case.query[name] = day.isoformat()


def page(case, known, caller):
    """A page must fit in an answer, and reach down to the 10,000th result at most."""
    asked = case.body.get("pagination") or {}
    size = asked.get("page_size")
    if size is not None:
        asked["page_size"] = size = min(size, LARGEST_PAGE)
    if asked.get("page") is not None:
        asked["page"] = min(asked["page"], DEEPEST // (size or LARGEST_PAGE))


def distance(case, known, caller):
    """`distance` needs a `geo_distance`, in the order as in `fieldSet`."""
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
    """A top below the bottom is refused."""
    for area in members(case.body, "top_left"):
        if area["top_left"]["lat"] < area["bottom_right"]["lat"]:
            top_left, bottom_right = area["top_left"], area["bottom_right"]
            top_left["lat"], bottom_right["lat"] = bottom_right["lat"], top_left["lat"]


def place_type(case, known, caller):
    """A `place_type_name` that no place has is refused."""
    criteria = case.body.get("filter") or {}
    if criteria.get("place_type_name") is not None:
        criteria["place_type_name"] = one_of(known["place_types"])


def words(case, known, caller):
    """A text to look for must be more than blank as texts are compared; an accent alone is not."""
    for criteria in (case.body.get("filter"), case.body.get("filters")):
        for name, text in (criteria or {}).items():
            if isinstance(text, str) and not any(letter.isalnum() for letter in text):
                criteria[name] = "Main St"


def bounds(case, known, caller):
    """An `id_min` above `id_max` is refused."""
    for criteria in members(case.body, "id_min"):
        if None not in (criteria["id_min"], criteria.get("id_max")):
            in_order(criteria, "id_min", "id_max")


def compared(case, known, caller):
    """Cohorts to compare places by must be those of `Population Anytime`, and the places at most 100."""
    by_place = case.body.get("by_place")
    if by_place:
        by_place["service_segment_ids"] = [one_of(known["segments"]) for _ in by_place["service_segment_ids"]]
        case.body["place_id"] = case.body["place_id"][:100]
    if sometimes():
        case.body["place_id"] = case.body["place_id"][:99] + [one_of(known["places"])]


def place(case, known, caller):
    """Half of the profiles that are asked for are those of places that there are."""
    if sometimes():
        case.path_parameters["place_id"] = str(one_of(known["places"]))


def ipv6(case, known, caller):
    """What stands in brackets must be an IPv6 address, with `http` that of the machine itself."""
    if isinstance(case.body, dict):
        origins = case.body["allowed_origins"]
        case.body["allowed_origins"] = ["https://[2001:db8::1]" if "[" in text else text for text in origins]


def tile(case, known, caller):
    """The token is the one of a grant's TileJSON, and the layer that of the product."""
    product = case.path_parameters["product"]
    if product in LAYERS and sometimes():
        case.query["token"] = caller["tile_grants"][product]["token"]
        case.path_parameters["layer"] = LAYERS[product]
        # A zoom has 2 to its power of columns and rows. What follows from a TileJSON's `tiles` has no
        # numbers.
        if all(str(case.path_parameters[name]).isdecimal() for name in "zxy"):
            side = 2 ** int(case.path_parameters["z"])
            for name in ("x", "y"):
                case.path_parameters[name] = int(case.path_parameters[name]) % side


def tilejson(case, known, caller):
    """The grant's id is the credential."""
    product = case.path_parameters["product"]
    if product in LAYERS and sometimes():
        case.path_parameters["grant_id"] = caller["tile_grants"][product]["grant_id"]


RULES = {
    "create_campaign": (dates, geographies),
    "edit_campaign": (dates, geographies, version),
    "create_event": (times, timezone, geographies),
    "edit_event": (times, timezone, geographies, version),
    "delete_campaign": (version,),
    "delete_event": (version,),
    "list_campaigns": (cursor,),
    "list_events": (cursor,),
    "list_markets": (state, cursor),
    "list_tile_grants": (cursor,),
    "read_usage": (days,),
    "search_places": (page, distance, box, words, place_type),
    "search_inventory": (page, distance, box, words, bounds),
    "read_population_at_home": (page, areas),
    "report_places": (compared,),
    "read_place_profile": (place,),
    "mint_tile_grant": (ipv6,),
    "read_tile": (tile,),
    "read_tilejson": (tilejson,),
}
