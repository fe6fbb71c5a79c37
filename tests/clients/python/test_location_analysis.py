from calls import given
from marquee_client.models import PlaceFilter
from workflow import WorkflowTest


class LocationAnalysis(WorkflowTest):
    def test_describes_the_visitors_of_a_place(self) -> None:
        found = self.places(PlaceFilter(place_name="dunkin", address="296 Cambridge St", state="MA"))
        self.assertEqual(
            [(place.place_id, place.place_name, place.dma_name) for place in found],
            [("103588410168", "Dunkin'", "Boston (Manchester)")],
        )

        report = self.report(found)
        place = report.places[0]
        self.assertEqual((place.place_id, report.place_count, report.invalid_ids), (103588410168, 1, []))
        self.assertEqual(place.local_radius_visits_local + place.local_radius_visits_non_local, place.visits)
        self.assertEqual(report.meta.provenance.data_maturity, "synthetic-only")
        self.assertEqual(given(found[0].weekly_visits), place.visits)

        over = {segment.description for segment in report.segments if segment.index > 120}
        self.assertLessEqual({"Adults 18-19"}, over)
        self.assertEqual([day.day for day in report.days], ["mo", "tu", "we", "th", "fr", "sa", "su"])
        self.assertEqual(
            [day.hours.index(max(day.hours)) for day in report.days if day.day in ("mo", "su")], [7, 9]
        )
        dwell = report.dwell.to_dict()
        self.assertAlmostEqual(sum(dwell.values()), 1)
        self.assertEqual(max(dwell, key=lambda minutes: dwell[minutes]), "persons_000_030min")
        self.assertEqual(self.cost(), 2)
