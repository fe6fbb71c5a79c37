"""Results as data frames of pandas, or of geopandas if it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from marquee import models, pages
from marquee.model import Model
from marquee.operations import Operations

if TYPE_CHECKING:
    import pandas

    Places = Mapping[str, Any] | models.PlaceFilter | pandas.DataFrame | Sequence[str | int]

AreaType = Literal["DMA", "CBSA", "COUNTY", "STATE", "ZIP"]
ReportTable = Literal["segments", "county", "dma", "postal_code", "state", "days", "places", "by_place"]
EstimateTable = Literal["displays", "weeks", "markets", "frequency_distribution", "places"]
Estimate = models.CampaignEstimateReply | models.EventEstimateReply
# The pairs of columns that are a position: longitude and latitude.
POSITIONS = (("location.lon", "location.lat"), ("longitude", "latitude"))


class Frames(Operations):
    """The methods that return data frames.

    A frame has a column `maturity`, such as `synthetic-only` for modelled figures. Its `attrs` contain the
    `provenance` of the data, and the `credits_used` and `warnings` of the calls. Members of nested objects
    are columns with dotted names. With geopandas, a frame with positions is a `GeoDataFrame`.
    """

    def places(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[str] | None = None,
        sort: Mapping[str, Any] | None = None,
        **filter: Any,
    ) -> pandas.DataFrame:
        """Returns the places that match a filter, such as `brand="Starbucks", city="Seattle"`."""
        require_pandas("places")
        body = {"filter": filter, "fieldSet": fields, "sort": sort}
        replies = self.pages_of_places(with_limit(body, limit))
        return frame(replies, lambda reply: reply.data.results, limit)

    def brands(self) -> pandas.DataFrame:
        """Returns the brands, with the number of their places by state."""
        require_pandas("brands")
        return frame([self.list_place_brands()], lambda reply: reply.data)

    def displays(
        self,
        *,
        limit: int | None = None,
        fields: Sequence[str] | None = None,
        sort: Mapping[str, Any] | None = None,
        cohort: str | None = None,
        **filter: Any,
    ) -> pandas.DataFrame:
        """Returns the displays that match a filter, such as `dma_name="New York", digital=True`.

        With a `cohort`, each display has the `index` of this cohort.
        """
        require_pandas("displays")
        body = {"filter": filter, "fieldSet": fields, "sort": sort, "service_segment_id": cohort}
        replies = self.pages_of_inventory(with_limit(body, limit))
        return frame(replies, lambda reply: reply.results, limit)

    def displays_near(self, places: Places, distance: str, **options: Any) -> pandas.DataFrame:
        """Returns the displays within `distance`, such as `300 m`, of at least one place.

        The places are a filter, a frame of `places`, or a list of ids. The options are those of `displays`.
        """
        require_pandas("displays_near")
        if isinstance(places, Model):
            chosen = places.model_dump(mode="json", by_alias=True, exclude_unset=True)
        elif isinstance(places, Mapping):
            chosen = dict(places)
        else:
            chosen = {"place_ids": ids_of(places)}
        return self.displays(near_places={"filter": chosen, "distance": distance}, **options)

    def cohorts(self, text: str = "", product: str = "Population At Home") -> pandas.DataFrame:
        """Returns the cohorts whose descriptions contain words that start with those of `text`."""
        require_pandas("cohorts")
        reply = self.search_cohorts({"service_data_product_name": product, "search_text": text})
        return frame([reply], lambda reply: reply.cohorts)

    def population(self, cohort: str, area_type: AreaType = "DMA", **options: Any) -> pandas.DataFrame:
        """Returns the residents of a cohort per area. For the options, see `read_population_at_home`."""
        require_pandas("population")
        body = {"service_segment_id": cohort, "geography_type": [area_type], **options}
        return frame(self.pages_of_population_at_home(body), lambda reply: reply.results)

    def markets(self, area_type: AreaType = "DMA", **options: Any) -> pandas.DataFrame:
        """Returns the markets of a type. The options are those of `list_markets`."""
        require_pandas("markets")
        replies = pages.by_cursor(
            lambda cursor: self.list_markets(geography_type=area_type, limit=100, cursor=cursor, **options)
        )
        return frame(replies, lambda reply: reply.data)

    def report(
        self,
        places: pandas.DataFrame | Sequence[str | int] | models.PlaceReportReply,
        table: ReportTable = "segments",
    ) -> pandas.DataFrame:
        """Returns one table of the combined report on places. The totals are in `attrs["totals"]`.

        To get several tables for the price of one call, pass the reply of `report_places`.
        """
        require_pandas("report")
        if not isinstance(places, models.PlaceReportReply):
            places = self.report_places({"place_id": ids_of(places)})
        rows = frame([places], lambda reply: getattr(reply, table) or [])
        rows.attrs["totals"] = record(places.places[0])
        return rows

    def estimate(
        self,
        campaign: Mapping[str, Any] | models.CampaignEstimateRequest | Estimate | str | UUID,
        table: EstimateTable = "displays",
    ) -> pandas.DataFrame:
        """Returns one table of the estimate of a campaign. The totals are in `attrs["totals"]`.

        The campaign is a body, or the id of a stored one. To get several tables for the price of one call,
        pass the reply of `estimate_campaign`. For an event, pass the reply of `estimate_event`, which has the
        tables `places` and `markets`.
        """
        require_pandas("estimate")
        if isinstance(campaign, (str, UUID)):
            campaign = {"asset_id": str(campaign)}
        if not isinstance(campaign, (models.CampaignEstimateReply, models.EventEstimateReply)):
            campaign = self.estimate_campaign(campaign)
        rows = frame([campaign], lambda reply: getattr(reply.data, table))
        rows.attrs["totals"] = record(campaign.data.totals)
        return rows

    def campaign(self, asset_id: str | UUID) -> pandas.DataFrame:
        """Returns the spots of a campaign. `attrs["campaign"]` has its other members, such as `flight`."""
        require_pandas("campaign")
        reply = self.read_campaign(asset_id)
        assert reply is not None, "a read without If-None-Match returns the campaign"
        rows = frame([reply], lambda reply: reply.data.spots)
        rows.attrs["campaign"] = reply.data.model_dump(mode="json", exclude={"spots"}, exclude_unset=True)
        return rows


def require_pandas(method: str) -> None:
    """Raises an `ImportError` if pandas is missing, before a call is made and charged."""
    if find_spec("pandas") is None:
        raise ImportError(f"{method}() requires pandas: pip install 'marquee-client[pandas]'")


def frame(replies: Iterable[Any], rows: Any, limit: int | None = None) -> pandas.DataFrame:
    """Returns the rows of all replies. Reads no more replies than it needs for `limit` rows."""
    pandas = import_module("pandas")
    records: list[dict[str, Any]] = []
    attrs: dict[str, Any] = {"credits_used": 0, "warnings": []}
    for reply in replies:
        least = reply.meta.provenance.data_maturity
        records += [
            {**record(row), "maturity": getattr(row, "maturity", None) or least} for row in rows(reply)
        ]
        note(attrs, reply.meta)
        if limit is not None and len(records) >= limit:
            break
    # Columns of objects keep 64-bit ids exact, even if a value is missing.
    columns = None if records else ["maturity"]
    table = pandas.DataFrame(records[:limit], columns=columns, dtype=object).convert_dtypes()
    table.attrs = attrs
    return positioned(table)


def note(attrs: dict[str, Any], meta: models.Meta) -> None:
    """Adds the provenance, the credits, and the warnings of a page to the attributes."""
    provenance = meta.provenance.model_dump(mode="json", exclude_unset=True)
    listed = attrs.setdefault("provenance", provenance).setdefault("sources", [])
    listed += [source for source in provenance.get("sources", []) if source not in listed]
    attrs["credits_used"] += meta.credits_used
    attrs["warnings"] += [warning.model_dump(mode="json") for warning in meta.warnings or []]


def positioned(table: pandas.DataFrame) -> pandas.DataFrame:
    """Returns a GeoDataFrame if there are positions and geopandas is installed."""
    for lon, lat in POSITIONS:
        if lon in table and lat in table and find_spec("geopandas"):
            geopandas = import_module("geopandas")
            points = geopandas.points_from_xy(table[lon].astype(float), table[lat].astype(float))
            located: pandas.DataFrame = geopandas.GeoDataFrame(table, geometry=points, crs="EPSG:4326")
            located.attrs = table.attrs
            return located
    return table


def record(row: Model) -> dict[str, Any]:
    """Returns a row with a dotted name for each member of a nested object, as in CSV. Lists stay lists."""
    members = dict(flattened(row.model_dump(by_alias=True, exclude_unset=True), ""))
    if point := members.get("location.geometry.coordinates"):
        members["location.lon"], members["location.lat"] = point
    return members


def flattened(members: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in members.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{prefix}{name}.")
        else:
            yield prefix + name, str(value) if isinstance(value, UUID) else value


def with_limit(body: dict[str, Any], limit: int | None) -> dict[str, Any]:
    """Returns the members that were given. Adds a page size if the limit is smaller than a page."""
    given = {name: value for name, value in body.items() if value}
    return {**given, "pagination": {"page_size": limit}} if limit is not None and limit < 500 else given


def ids_of(places: Any) -> list[Any]:
    """Returns the ids of places in a frame or a list."""
    return list(places["place_id"] if hasattr(places, "columns") else places)
