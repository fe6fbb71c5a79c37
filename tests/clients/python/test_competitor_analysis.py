from marquee_client.models import PlaceFilter
from workflow import WorkflowTest


class CompetitorAnalysis(WorkflowTest):
    def test_compares_two_chains_in_one_city(self) -> None:
        found = {
            brand: self.places(PlaceFilter(place_name=brand, city="Tuscaloosa", state="AL"))
            for brand in ("starbucks", "dunkin")
        }
        self.assertEqual(
            {brand: len(places) for brand, places in found.items()}, {"starbucks": 6, "dunkin": 2}
        )

        single = {
            brand: [self.report([place]).places[0] for place in places] for brand, places in found.items()
        }
        ranked = sorted((place.visits, place.name) for places in single.values() for place in places)
        self.assertEqual([name for _, name in ranked[-2:]], ["Dunkin'", "Dunkin'"])
        self.assertTrue(all(place.percentile for places in single.values() for place in places))

        for brand, places in found.items():
            combined = self.report(places)
            self.assertEqual(combined.place_count, len(places))
            self.assertEqual(combined.places[0].visits, sum(place.visits for place in single[brand]))
            self.assertIsNone(combined.places[0].percentile)
        self.assertEqual(self.cost(), 12)
