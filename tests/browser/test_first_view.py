"""How much a browser that knows nothing yet loads for a first view."""

from people import DEVELOPER
from portal import PortalTest, ready

# Compressed, headers included: (https://developer.mozilla.org/docs/Web/API/PerformanceResourceTiming/transferSize)
WITHOUT_MAP = 600_000
WITH_MAP = 1_000_000


class FirstViewTest(PortalTest):
    def loaded(self, address):
        """The bytes of everything that somebody loads who opens a page for the first time, by kind."""
        person = self.person(DEVELOPER, organization=False)
        # What the sign-in loaded counts, too, but each file once: a new window has nothing in its cache.
        fresh = self.visitor(storage_state=person.context.storage_state())
        fresh.sizes = {}
        fresh.context.on("requestfinished", lambda request: self.weigh(fresh, request))
        fresh.page.goto(address)
        ready(fresh.page)
        fresh.page.wait_for_load_state("networkidle")
        return fresh.sizes

    def weigh(self, visitor, request):
        sizes = request.sizes()
        path = request.url.removeprefix(self.service.origin).partition("?")[0]
        kind = "files" if path.startswith("/portal/files/") else "shell and sign-in" if not path.startswith("/v2/") else "data"
        bytes_of = sizes["responseBodySize"] + sizes["responseHeadersSize"]
        visitor.sizes.setdefault(kind, {})[path] = bytes_of

    def total(self, sizes, name):
        by_kind = {kind: sum(paths.values()) for kind, paths in sizes.items()}
        files = len(sizes.get("files", {}))
        print(f"\n{name}: {sum(by_kind.values()):,} bytes in {files} files and more: {by_kind}")
        return sum(by_kind.values())

    def test_a_first_view_without_a_map_is_at_most_600_kilobytes(self):
        self.assertLessEqual(self.total(self.loaded("/portal/"), "without a map"), WITHOUT_MAP)

    def test_a_first_view_with_a_map_is_at_most_a_megabyte(self):
        sizes = self.loaded("/portal/planner")
        self.assertTrue(any("maplibre-gl-worker" in path for path in sizes["files"]), sorted(sizes["files"]))
        self.assertLessEqual(self.total(sizes, "with a map"), WITH_MAP)
