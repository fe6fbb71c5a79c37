"""Example of an agent's calls, which docs/how-to/agents.md shows: plans a campaign with MCP tools."""

import asyncio
import os
import sys
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise RuntimeError(f"{tool}: {result.content}")
    body: Any = result.structured_content
    print(f"{tool} (credits: {body.get('meta', {}).get('credits_used', 0)})")
    return body


async def cohort(client: Client, words: str) -> str:
    product = "Population At Home"
    body = await call(client, "search_cohorts", service_data_product_name=product, search_text=words)
    best = body["cohorts"][0]
    print("   ", best["cohort_description"])
    return str(best["service_segment_id"])


async def plan(client: Client) -> str:
    audience, everyone = await cohort(client, "adults 25-54"), await cohort(client, "everyone")
    markets = await call(client, "list_markets", q="new york", geography_type="DMA")
    market = markets["data"][0]
    chosen = {"dma_name": market["name"], "digital": True, "min_impressions": 1}
    fields, page = ["id", "media_name"], {"page_size": 20}
    found = await call(client, "search_inventory", filter=chosen, fieldSet=fields, pagination=page)
    print("   ", found["total"], "displays in", market["name"])
    displays = [str(display["spot_id"]) for display in found["results"]]
    campaign = {
        "campaign": {"name": "New York in spring"},
        "flight": {"start_date": "2027-04-05", "end_date": "2027-05-02"},
        "spots": [{"display_id": display, "spot_id": n} for n, display in enumerate(displays, 1)],
        "cohort": {
            "geography_ids": [market["market_id"]],
            "service_segment_ids": [audience],
            "service_base_segment_id": everyone,
        },
        "customer": {
            "customer_id": 7,
            "customer_name": "Example Coffee",
            "customer_scenario_id": "new-york-spring",
            "customer_scenario_name": "New York in spring",
        },
    }
    estimate = (await call(client, "estimate_campaign", **campaign))["data"]["totals"]
    print("   ", f"{estimate['impressions']:,} impressions, {estimate['reach']:,} people reached, modelled")
    created = await call(client, "create_campaign", idempotency_key="new-york-spring-1", **campaign)
    print("   ", "state", created["data"]["state"])
    return str(created["data"]["asset_id"])


async def main(url: str, key: str) -> None:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as connection:
        async with Client(streamable_http_client(url, http_client=connection)) as client:
            await plan(client)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], os.environ["MARQUEE_API_KEY"]))
