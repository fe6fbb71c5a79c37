"""What the tests of an organization's own pages share: owners, members and those who are invited."""

from playwright.sync_api import expect

import axe
from portal import PortalTest, sign_in


class AccountTest(PortalTest):
    def main(self, page):
        return page.get_by_role("main")

    def no_violations(self, page):
        """What is shown now breaks no rule; the window keeps its size afterwards."""
        before = page.viewport_size
        self.assertEqual(axe.violations_in_all_looks(page), [])
        page.set_viewport_size(before)

    def account(self, person, method, path, body=None):
        return self.service.done(method, f"/v2/account{path}", body, token=person.token_of_call())

    def invited(self, owner, role="member"):
        """Somebody with an address and an invitation for it, who has not signed in; and the invitation."""
        visitor = self.visitor()
        visitor.email = f"colleague{next(self._numbers)}@example.com"
        return visitor, self.account(owner, "POST", "/invitations", {"email": visitor.email, "role": role})

    def member(self, owner, role="member"):
        """Somebody who has accepted an invitation, on the page that says so."""
        visitor, invitation = self.invited(owner, role)
        visitor.page.goto(f"/portal/invitation#invitation={invitation['token']}")
        sign_in(visitor.page, visitor.email)
        visitor.page.get_by_role("button", name="Accept invitation").click()
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Welcome to Example Coffee")
        return visitor

    def dialog(self, page):
        return page.get_by_role("dialog")
