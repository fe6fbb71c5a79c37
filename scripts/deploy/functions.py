"""Checks that the functions start, because CloudFormation doesn't.

If a function can't open its release, it returns 503. Otherwise, it answers a call without a key with a status
below 500, free of charge.
"""

import time
import urllib.error
import urllib.request

from stack import StackError

# A path for each function that opens a release, relative to the output ApiUrl.
PATHS = {
    "campaigns": "/scenarios/campaigns",
    "events": "/scenarios/events",
    "places": "/place/types",
    "audiences": "/markets",
    "estimates": "/measures/campaigns/estimate",
    "inventory": "/displays/lookup",
    "tiles": "/displays/tiles/none",
}
# The time limit for all functions to respond, in seconds. Permissions for a new release take time to
# propagate.
PATIENCE = 60


def check(stack):
    """Waits until every function that opens a release responds. Raises StackError for one that doesn't."""
    give_up_at = time.monotonic() + PATIENCE
    for name, path in PATHS.items():
        while (error := error_of(stack.outputs["ApiUrl"] + path)) is not None:
            if time.monotonic() > give_up_at:
                raise StackError(
                    f"{stack.name} is {stack.status}, and its function {name} doesn't respond ({error}): "
                    f"look for release_refused in the log group /{stack.name}/{name}; `make rollback` "
                    "returns to the previous release, if there is one"
                )
            time.sleep(2)


def error_of(url):
    """Returns the call's error, or None if a function responded."""
    try:
        urllib.request.urlopen(url, timeout=35).close()
    except urllib.error.HTTPError as answer:
        with answer:
            return str(answer.code) if answer.code >= 500 else None
    except OSError as failure:
        return str(failure)
    return None
