"""Helpers for tests of the account pages, for owners, members, and invited people."""

from playwright.sync_api import expect

import axe
from portal import PortalTest, sign_in


class AccountTest(PortalTest):
    def main(self, page):
        return page.get_by_role("main")

    def no_violations(self, page):
        """Asserts that the current view is accessible, and restores the window size."""
        before = page.viewport_size
        self.assertEqual(axe.violations_in_all_looks(page), [])
        page.set_viewport_size(before)

    def account(self, person, method, path, body=None):
        return self.service.done(method, f"/v2/account{path}", body, token=person.token_of_call())

    def invited(self, owner, role="member"):
        """Returns a visitor who has an invitation but hasn't signed in, and the invitation."""
        visitor = self.visitor()
        visitor.email = f"colleague{next(self._numbers)}@example.com"
        return visitor, self.account(owner, "POST", "/invitations", {"email": visitor.email, "role": role})

    def member(self, owner, role="member"):
        """Returns a visitor on the confirmation page after accepting an invitation."""
        visitor, invitation = self.invited(owner, role)
        visitor.page.goto(f"/portal/invitation#invitation={invitation['token']}")
        sign_in(visitor.page, visitor.email)
        visitor.page.get_by_role("button", name="Accept invitation").click()
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Welcome to Example Coffee")
        return visitor

    def dialog(self, page):
        return page.get_by_role("dialog")
