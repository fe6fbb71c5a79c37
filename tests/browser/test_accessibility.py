"""What every page of the portal is to those who see little of it, or use no pointer."""

import axe
import keyboard
from every_page import EveryPageTest


class AccessibilityTest(EveryPageTest):
    def test_no_page_breaks_a_rule_of_accessibility_light_or_dark_wide_or_narrow(self):
        def check(page, _):
            self.assertEqual(axe.violations_in_all_looks(page), [])
            for violation in axe.foreign_violations(page):
                print(f"not ours: {violation.partition(chr(10))[0]}")

        self.on_each_page(check)

    def test_the_tab_key_reaches_every_control_of_every_page_and_shows_where_it_is(self):
        self.on_each_page(lambda page, _: self.assertEqual(keyboard.faults(page), []))
