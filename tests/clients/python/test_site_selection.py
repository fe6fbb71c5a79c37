from marquee_client.models import PlaceFilter
from workflow import WorkflowTest


class SiteSelection(WorkflowTest):
    def test_finds_places_in_the_market_of_a_cohort(self) -> None:
        cohort = self.cohort("income 150K+")
        self.assertEqual(cohort, "5718249a-ea3d-55a2-9b1c-718403779aa8")

        at_home = self.markets_of(cohort)
        ranked = sorted(at_home.results, key=lambda market: -market.composition_index)
        self.assertEqual(
            [market.geography_id for market in ranked[:3]],
            ["US2020XDMA807", "US2020XDMA511", "US2020XDMA506"],
        )
        self.assertEqual(at_home.pagination.total_results, len(at_home.results))

        sites = self.places(PlaceFilter(place_name="apple store", dma_name=ranked[0].description))
        self.assertEqual(len(sites), 18)
        indices = {}
        for site in sites:
            report = self.report([site])
            segment = next(s for s in report.segments if str(s.service_segment_id) == cohort)
            indices[report.places[0].name] = segment.index
        best = sorted(indices, key=lambda name: -indices[name])[:3]
        self.assertEqual(best[0], "Apple Store Stanford Shopping Center")
        self.assertTrue(all(indices[name] > 200 for name in best))
        self.assertEqual(self.cost(), 21)
