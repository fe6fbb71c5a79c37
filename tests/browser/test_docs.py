"""The documentation, and calls from the API reference."""

from playwright.sync_api import expect

import axe
from portal import PortalTest, first_page, in_module, ready


class DocsTest(PortalTest):
    def execute(self, page, operation):
        """Makes a call with the reference's example values, and returns the request."""
        block = page.locator(f"[id$={operation}].opblock")
        if not block.get_by_role("button", name="Execute").count():
            block.locator(".opblock-summary-control").click()
            block.get_by_role("button", name="Try it out").click()
        with page.expect_response(lambda answer: answer.request.resource_type == "fetch") as answered:
            block.get_by_role("button", name="Execute").click()
        expect(block.locator(".live-responses-table tbody .response-col_status")).to_contain_text("200")
        self.assertEqual(answered.value.status, 200)
        return answered.value.request

    def test_reference_makes_calls_with_the_sign_in_and_with_a_key(self):
        developer = self.colleague()
        page = first_page(developer)
        token = developer.token_of_call()
        own = self.service.credentials["enterprise_key"]
        # Opening a public page by its address doesn't sign the person in, so this test uses links.
        page.get_by_label("Your account").click()
        page.get_by_role("navigation", name="Organization").get_by_role("link", name="Docs").click()
        page.get_by_role("main").get_by_role("link", name="Reference").click()
        key = page.get_by_label("API key for trying calls")
        expect(page.get_by_text("Leave empty to make calls as yourself")).to_be_visible()
        cases = [
            ("list_place_types", "", "/v2/place/types", {"authorization": f"Bearer {token}"}),
            ("list_place_types", own, "/v2/place/types", {"x-api-key": own}),
            ("search_inventory", own, "/msearch/inventory", {"apikey": own}),
        ]
        credentials = ["authorization", "x-api-key", "apikey"]
        for operation, typed, path, expected in cases:
            with self.subTest(operation, typed=bool(typed)):
                key.fill(typed)
                sent = self.execute(page, operation)
                self.assertEqual(sent.url, self.service.origin + path)
                headers = {name: sent.headers[name] for name in credentials if name in sent.headers}
                self.assertEqual(headers, expected)
        # The commands to copy don't contain the token.
        self.assertNotIn(token, page.content())

    def test_every_document_is_accessible(self):
        page = self.visitor().page
        page.goto("/portal/docs")
        for name in in_module(page, "documents.js", "({ DOCUMENTS }) => DOCUMENTS.map(({ name }) => name)"):
            page.goto(f"/portal/docs/{name}")
            with self.subTest(name):
                self.assertEqual(axe.violations_in_all_looks(page), [])

    def test_error_code_link_scrolls_to_its_heading(self):
        page = self.visitor().page
        page.goto("/portal/docs/errors#quota-exceeded")
        ready(page)
        expect(page.get_by_role("heading", name="quota-exceeded")).to_be_in_viewport()
        self.assertGreater(page.evaluate("scrollY"), 0)
