"""Accessibility of every page: keyboard navigation and axe-core's rules."""

import axe
import keyboard
from every_page import EveryPageTest
from portal import in_module


class AccessibilityTest(EveryPageTest):
    def test_every_page_is_accessible(self):
        self.on_each_page(self.tab_key_reaches_every_control_with_visible_focus,
                          self.axe_finds_no_violations_in_any_look)

    def test_every_document_is_accessible(self):
        page = self.visitor().page
        page.goto("/portal/docs")
        for name in in_module(page, "documents.js", "({ DOCUMENTS }) => DOCUMENTS.map(({ name }) => name)"):
            page.goto(f"/portal/docs/{name}")
            with self.subTest(name):
                self.assertEqual(axe.violations_in_all_looks(page), [])

    def tab_key_reaches_every_control_with_visible_focus(self, page, _):
        self.assertEqual(keyboard.faults(page), [])

    def axe_finds_no_violations_in_any_look(self, page, _):
        self.assertEqual(axe.violations_in_all_looks(page), [])
        for violation in axe.foreign_violations(page):
            print(f"third-party: {violation.partition(chr(10))[0]}")
