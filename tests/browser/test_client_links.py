"""Client links: creating, opening, and revoking them."""

from playwright.sync_api import expect

import axe
from libraries import REFUSED, LibrariesTest
from portal import ready


class ClientLinksTest(LibrariesTest):
    def test_link_is_created_opened_without_sign_in_and_revoked(self):
        planner = self.colleague().page
        self.open(planner, self.campaign())
        section = planner.get_by_role("region", name="Share with a client")
        section.get_by_role("button", name="Create link · free").click()
        url = section.locator(".secret code").inner_text()
        self.assertRegex(url, r"/portal/shared#mql_[0-9a-f]{64}$")
        section.get_by_role("button", name="I’ve copied it").click()
        expect(section.get_by_text(url)).to_have_count(0)
        expect(section.get_by_role("row")).to_have_count(2)
        expect(section.get_by_role("row").nth(1)).to_contain_text("by you")

        client = self.visitor()
        client.page.goto(url)
        ready(client.page)
        expect(client.page.get_by_role("heading", name="2 displays")).to_be_visible()
        expect(client.page.get_by_role("row", name="1626 BROADWAY")).to_be_visible()
        expect(client.page.get_by_text("some details are modelled")).to_be_visible()
        self.assertEqual(axe.violations_in_all_looks(client.page), [])

        section.get_by_role("button", name="Revoke the link").click()
        planner.get_by_role("button", name="Revoke link · free").click()
        expect(section.get_by_role("row")).to_have_count(0)
        client.expect(REFUSED)
        client.page.reload()
        expect(client.page.get_by_text("This link doesn’t work, or no longer works")).to_be_visible()
