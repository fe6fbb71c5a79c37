from collections.abc import Callable

import httpx

from marquee import ApiError, Client, MarqueeError, NoResponse
from support import Failing, ServiceTest, Waiting, answers, campaign, fails, stop

LOST = fails(httpx.ReadTimeout)
REFUSED = fails(httpx.ConnectError)
REFUNDED = answers(503, Retry_After="1", X_Credits_Used="0")
CHARGED = answers(503, Retry_After="1", X_Credits_Used="1")
LIMITED = answers(429, Retry_After="1", X_Credits_Used="0")
Call = Callable[[Client], object]


def create(client: Client) -> object:
    return client.create_campaign(campaign("repeated"))


def edit(client: Client) -> object:
    asset = next(client.iter_campaigns(customer_scenario_id="edited")).asset_id
    assert asset is not None
    return client.edit_campaign(asset, {})


def markets(client: Client) -> object:
    return client.list_markets()


def search(client: Client) -> object:
    return client.search_places({"pagination": {"page_size": 1}})


def estimate(client: Client) -> object:
    return client.estimate_campaign(campaign("estimated"))


def grant(client: Client) -> object:
    return client.create_tile_grant("displays", {"allowed_origins": ["https://maps.example.com"]})


class Repeats(ServiceTest):
    def test_call_is_repeated_only_if_that_is_safe(self) -> None:
        cases: list[tuple[Call, dict[str, int]]] = [
            (create, {"lost": 2, "refused": 2, "refunded": 2, "charged": 1, "limited": 2}),
            (markets, {"lost": 2, "refused": 2, "refunded": 2, "charged": 2, "limited": 2}),
            (search, {"lost": 1, "refused": 2, "refunded": 2, "charged": 1, "limited": 2}),
            (estimate, {"lost": 1, "refused": 2, "refunded": 2, "charged": 1, "limited": 2}),
            (grant, {"lost": 1, "refused": 2, "refunded": 1, "charged": 1, "limited": 2}),
        ]
        failures = {
            "lost": LOST,
            "refused": REFUSED,
            "refunded": REFUNDED,
            "charged": CHARGED,
            "limited": LIMITED,
        }
        for call, expected in cases:
            for name, failure in failures.items():
                with self.subTest(call=call.__name__, failure=name):
                    connection = Failing(failure, received=False)
                    client = self.connect(transport=connection, sleep=lambda _: None)
                    if expected[name] == 1:
                        self.assertRaises(MarqueeError, call, client)
                    else:
                        call(client)
                    self.assertEqual(len(connection.requests), expected[name])

    def test_create_with_a_lost_response_creates_and_charges_once(self) -> None:
        connection = Failing(LOST, LOST, received=True)
        before = self.spent()
        created = self.connect(transport=connection, sleep=lambda _: None).create_campaign(campaign("once"))
        self.assertEqual((self.spent() - before, created.meta.credits_used), (1, 0))
        self.assertEqual(len({request.headers["Idempotency-Key"] for request in connection.requests}), 1)
        listed = self.client.iter_campaigns(customer_scenario_id="once")
        self.assertEqual([asset.asset_id for asset in listed], [created.data.asset_id])

    def test_lost_response_of_a_paid_call_says_that_it_may_be_charged(self) -> None:
        client = self.connect(transport=Failing(LOST, received=True))
        before = self.spent()
        with self.assertRaisesRegex(NoResponse, "may have taken effect or been charged"):
            estimate(client)
        self.assertEqual(self.spent() - before, 5)

    def test_edits_are_not_repeated_without_a_response(self) -> None:
        asset = self.client.create_campaign(campaign("edited")).data.asset_id
        connection = Failing(LOST, received=True)
        with self.assertRaises(NoResponse):
            self.connect(transport=connection).edit_campaign(asset, {})
        self.assertEqual(len(connection.requests), 1)

    def test_repetitions_end(self) -> None:
        connection = Failing(*[LIMITED] * 9, received=False)
        waits: list[float] = []
        with self.assertRaises(ApiError):
            markets(self.connect(transport=connection, retries=3, sleep=waits.append))
        self.assertEqual((len(connection.requests), waits), (4, [1.0, 1.0, 1.0]))

    def test_long_waits_raise_the_error(self) -> None:
        connection = Failing(answers(429, Retry_After="3600"), received=False)
        with self.assertRaises(ApiError) as raised:
            markets(self.connect(transport=connection))
        self.assertEqual((raised.exception.status, raised.exception.retry_after), (429, 3600))


class Pacing(ServiceTest):
    def test_call_over_the_limit_waits_before_it_is_sent(self) -> None:
        connection = Failing(received=False)
        client = self.connect("sandbox_key", transport=connection, sleep=stop)
        with self.assertRaises(Waiting) as waiting:
            for _ in range(30):
                client.list_markets(limit=1)
        # The 10 calls of a minute, or up to 20 if a minute ends between them.
        self.assertIn(len(connection.requests), range(10, 21))
        self.assertTrue(0 < waiting.exception.args[0] <= 60)

    def test_refused_call_waits_as_long_as_the_service_says(self) -> None:
        """Each client counts only its own calls, so the service refuses the calls of the last clients."""
        with self.assertRaises(Waiting) as waiting:
            for _ in range(30):
                self.connect("sandbox_key", sleep=stop).list_markets(limit=1)
        self.assertTrue(0 < waiting.exception.args[0] <= 60)

    def test_inventory_limit_does_not_delay_other_calls(self) -> None:
        client = self.connect("payg_key", sleep=stop)
        with self.assertRaises(Waiting):
            for _ in range(50):
                client.look_up_displays({"spot_ids": [13320188]})
        self.assertGreater(len(client.list_markets(limit=1).data), 0)
        # Inventory search has the same limit as display lookup. Only the calls of a new minute can be left.
        with self.assertRaises(Waiting):
            for _ in range(50):
                client.search_inventory({"pagination": {"page_size": 1}})
