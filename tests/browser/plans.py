"""Steps in the planner that several tests share."""

import re

from playwright.sync_api import expect


def search(page, timeout=None):
    """Searches with the current filters, and returns the response after the page shows the results.

    The page doesn't send the same search again within five minutes, so a repeated search times out here.
    """
    with page.expect_response("**/msearch/inventory", timeout=timeout) as found:
        page.get_by_role("button", name="Search · 1 credit").click()
    expect(page.get_by_role("heading", name=re.compile("displays? found|No displays match"))).to_be_visible()
    return found.value


def rows(page):
    """Returns the rows in the list of results."""
    return page.get_by_role("listbox", name="Displays found").get_by_role("option")


def choose(page, label, words, timeout=None):
    """Types words into a field, and selects the first suggestion."""
    field = page.get_by_label(label, exact=True)
    field.click()
    field.fill(words)
    page.get_by_role("option", name=re.compile(re.escape(words))).first.click(timeout=timeout)
    field.press("Escape")


def step(page, title):
    """Returns a step in the plan's form."""
    return page.locator("details.plan-step").filter(has=page.get_by_role("heading", name=title, exact=True))


def open_step(page, title):
    """Opens a step in the plan if it's closed."""
    if step(page, title).get_attribute("open") is None:
        step(page, title).locator("summary").click()


def fill_audience(page, timeout=None):
    """Fills in the flight, the audience, and the market of the campaign in `people.CAMPAIGN`."""
    open_step(page, "Name and dates")
    page.get_by_label("First day").fill("2027-04-05")
    page.get_by_label("Last day").fill("2027-06-27")
    open_step(page, "Audience and markets")
    choose(page, "Audience", "18-34", timeout)
    # By default, the baseline is everyone.
    expect(page.get_by_role("list", name="Baseline: selected")).to_contain_text("Persons")
    choose(page, "Markets", "New York", timeout)


def fill_plan(page, own_id="spring-1", timeout=None):
    """Fills in all fields of the plan."""
    open_step(page, "Name and dates")
    page.get_by_label("Name", exact=True).fill("Spring on Broadway")
    fill_audience(page, timeout)
    open_step(page, "Advertiser")
    page.get_by_label("Advertiser ID").fill("7")
    page.get_by_label("Advertiser", exact=True).fill("Example Coffee")
    page.get_by_label("External ID").fill(own_id)
    page.get_by_label("External name").fill("Spring")
