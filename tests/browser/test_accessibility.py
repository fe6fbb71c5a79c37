"""What every page of the portal is to those who see little of it, or use no pointer."""

import axe
import keyboard
from every_page import EveryPageTest


class AccessibilityTest(EveryPageTest):
    def test_every_page_is_for_everybody(self):
        self.on_each_page(self.the_tab_key_reaches_every_control_and_shows_where_it_is,
                          self.no_rule_is_broken_light_or_dark_wide_or_narrow)

    def the_tab_key_reaches_every_control_and_shows_where_it_is(self, page, _):
        self.assertEqual(keyboard.faults(page), [])

    def no_rule_is_broken_light_or_dark_wide_or_narrow(self, page, _):
        self.assertEqual(axe.violations_in_all_looks(page), [])
        for violation in axe.foreign_violations(page):
            print(f"not ours: {violation.partition(chr(10))[0]}")
