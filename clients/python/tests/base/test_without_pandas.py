from support import ServiceTest


class WithoutPandas(ServiceTest):
    def test_data_frames_name_the_extra_before_they_cost_anything(self) -> None:
        before = self.spent()
        for name, arguments in (
            ("places", ()),
            ("displays", ()),
            ("displays_near", ({}, "1 km")),
            ("brands", ()),
            ("cohorts", ()),
            ("population", ("",)),
            ("markets", ()),
            ("report", ([],)),
            ("estimate", ({},)),
            ("campaign", ("",)),
        ):
            with self.assertRaisesRegex(
                ImportError, rf"{name}\(\) requires pandas: .*marquee-client\[pandas\]"
            ):
                getattr(self.client, name)(*arguments)
        self.assertEqual(self.spent(), before)
