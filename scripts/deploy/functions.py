"""Whether the functions start, which CloudFormation does not look at.

A function that cannot open its release ends, and the gateway answers 500 in its place. Without a key one that
runs answers 401 at most, which costs nobody anything.
"""

import time
import urllib.error
import urllib.request

from stack import StackError

# A path of each function that opens a release, below the output ApiUrl.
PATHS = {
    "campaigns": "/scenarios/campaigns",
    "events": "/scenarios/events",
    "places": "/place/types",
    "audiences": "/markets",
    "inventory": "/displays/lookup",
    "tiles": "/displays/tiles/none",
}
# Seconds until they must have answered: permissions for a new release take some to arrive everywhere.
PATIENCE = 60


def check(stack):
    """Waits until each function that opens a release answers by itself, or says which does not."""
    give_up_at = time.monotonic() + PATIENCE
    for name, path in PATHS.items():
        while (said := said_by(stack.outputs["ApiUrl"] + path)) is not None:
            if time.monotonic() > give_up_at:
                raise StackError(
                    f"{stack.name} is {stack.status}, and its function {name} does not answer ({said}): look "
                    f"for release_refused in the log group /{stack.name}/{name}; `make rollback` goes back "
                    "where there is a previous release"
                )
            time.sleep(2)


def said_by(url):
    """What is wrong with the answer; None when a function has made it."""
    try:
        urllib.request.urlopen(url, timeout=35).close()
    except urllib.error.HTTPError as answer:
        with answer:
            return str(answer.code) if answer.code >= 500 else None
    except OSError as failure:
        return str(failure)
    return None
