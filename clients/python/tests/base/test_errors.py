import logging
import traceback
from collections.abc import Callable
from uuid import uuid4

import httpx

import marquee
from marquee import ApiError, codes
from support import CREDENTIALS, URL, Failing, ServiceTest, answers, campaign, fails


class Errors(ServiceTest):
    def test_each_error_has_its_class_code_and_request(self) -> None:
        read_only = (
            self.owner().create_key({"label": "read only", "scopes": ["scenarios:read"]}).data.api_key
        )
        limited, unknown = marquee.connect(URL, read_only), marquee.connect(URL, "mq_live_unknown")
        self.addCleanup(limited.close)
        self.addCleanup(unknown.close)
        cases: list[tuple[Callable[[], object], type[ApiError], int]] = [
            (lambda: self.client.read_campaign(uuid4()), codes.NotFound, 404),
            (lambda: self.client.search_places({"filter": {"town": "Boston"}}), codes.ValidationError, 400),
            (
                lambda: self.client.search_inventory({"filter": {"town": "Boston"}}),
                codes.ValidationError,
                400,
            ),
            (lambda: limited.create_campaign(campaign("forbidden")), codes.Forbidden, 403),
            (lambda: unknown.list_markets(), codes.Unauthorized, 401),
        ]
        for call, kind, status in cases:
            with self.subTest(kind.__name__), self.assertRaises(kind) as raised:
                call()
            self.assertEqual(raised.exception.status, status)
            self.assertIn(raised.exception.message, str(raised.exception))
            self.assertIsNotNone(raised.exception.request_id)

    def test_validation_error_lists_the_violations(self) -> None:
        with self.assertRaises(codes.ValidationError) as raised:
            self.client.search_places({"filter": {"town": "Boston"}, "sort": {"direction": "up"}})
        self.assertEqual(
            [one["pointer"] for one in raised.exception.details], ["/filter/town", "/sort/direction"]
        )
        self.assertTrue((raised.exception.docs_url or "").endswith("#validation-error"))

    def test_error_of_a_proxy_has_its_status(self) -> None:
        client = self.connect(transport=Failing(answers(502), received=False))
        with self.assertRaises(ApiError) as raised:
            client.list_markets()
        self.assertEqual((type(raised.exception), raised.exception.code), (ApiError, "HTTP_502"))

    def test_unexpected_response_is_named(self) -> None:
        client = self.connect(transport=Failing(answers(200), received=False))
        with self.assertRaisesRegex(
            marquee.UnexpectedResponse, "list_markets: the 200 response doesn't match"
        ):
            client.list_markets()

    def test_wrong_arguments_are_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "must start with https://"):
            marquee.connect("api.example.com")
        with self.assertRaisesRegex(ValueError, "pass only one"):
            marquee.connect(URL, "key", id_token="token")


class Secrets(ServiceTest):
    def test_key_is_in_no_representation_error_or_log(self) -> None:
        key = CREDENTIALS["enterprise_key"]
        printed: list[str] = []
        with self.assertLogs(level=logging.DEBUG) as logged:
            for failure in (answers(200), answers(500), fails(httpx.ReadTimeout), fails(httpx.ConnectError)):
                client = self.connect(retries=0, transport=Failing(failure, received=False))
                printed += [repr(client), repr(vars(client))]
                printed += self.trace(lambda: client.search_places({"filter": {"city": "Boston"}}))
            printed += self.trace(lambda: self.client.read_campaign(uuid4()))
        self.assertIn("search_places", "".join(printed))
        for text in printed + logged.output:
            self.assertNotIn(key, text)

    def trace(self, call: Callable[[], object]) -> list[str]:
        """Returns the error, and the traceback with the variables of each function of the package."""
        try:
            call()
        except marquee.MarqueeError as error:
            chain = traceback.TracebackException.from_exception(error, capture_locals=True)
            self.assertNotIsInstance(error.__context__, httpx.HTTPError)
            return [repr(error), str(error), "".join(chain.format())]
        raise AssertionError("the call succeeded")
