"""Limits on the amount of data that a browser with an empty cache loads for the first view."""

from portal import PortalTest, ready

# The limits on compressed responses and their headers, in bytes.
WITHOUT_MAP = 300_000
WITH_MAP = 700_000


class FirstViewTest(PortalTest):
    def loaded(self, address):
        """Returns how many bytes the first view and the sign-in load, by kind and path."""
        visitor = self.colleague()
        finished = []
        visitor.context.on("requestfinished", lambda request: finished.append(request))
        visitor.page.goto(address)
        ready(visitor.page)
        visitor.page.wait_for_load_state("networkidle")
        sizes = {"files": {}, "data": {}, "sign-in": {}}
        for request in finished:
            self.weigh(request, sizes)
        return sizes

    def weigh(self, request, sizes):
        path = request.url.removeprefix(self.service.origin).partition("?")[0]
        kind = {"portal": "files", "v2": "data"}.get(path.split("/")[1], "sign-in")
        # The shell loads before and after signing in. The second time, all files come from the cache.
        size = request.sizes()["responseBodySize"] + request.sizes()["responseHeadersSize"]
        sizes[kind][path] = max(size, sizes[kind].get(path, 0))

    def total(self, sizes, name):
        by_kind = {kind: sum(paths.values()) for kind, paths in sizes.items()}
        print(f"{name}: {sum(by_kind.values()):,} bytes, including {len(sizes['files'])} files: {by_kind}")
        return sum(by_kind.values())

    def test_first_view_without_a_map_loads_at_most_300_kb(self):
        self.assertLessEqual(self.total(self.loaded("/portal/"), "without a map"), WITHOUT_MAP)

    def test_first_view_with_a_map_loads_at_most_700_kb(self):
        sizes = self.loaded("/portal/planner")
        self.assertTrue(any("maplibre-gl-worker" in path for path in sizes["files"]), sorted(sizes["files"]))
        self.assertLessEqual(self.total(sizes, "with a map"), WITH_MAP)
