"""Reports a missing AWS region. Uses only the standard library, because it runs before any tool is installed.

  python3 scripts/deploy/region.py    prints nothing if there is a region

Searches where boto3 does: https://docs.aws.amazon.com/boto3/latest/guide/configuration.html
"""

import configparser
import os
import pathlib
import sys

MISSING = "no AWS region found: set AWS_REGION, or AWS_PROFILE to a profile that names one"
# The default paths of AWS's settings files, by the variable that can name another file.
FILES = {"AWS_CONFIG_FILE": "~/.aws/config", "AWS_SHARED_CREDENTIALS_FILE": "~/.aws/credentials"}


def region(environment):
    """Returns the region from the environment or the profile, or None."""
    given = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION")
    profile = environment.get("AWS_PROFILE") or environment.get("AWS_DEFAULT_PROFILE") or "default"
    return given or next(filter(None, (of_profile(profile, path) for path in paths(environment))), None)


def paths(environment):
    return [pathlib.Path(environment.get(name) or path).expanduser() for name, path in FILES.items()]


def of_profile(profile, path):
    """Returns a profile's region in a file, or None. Ignores malformed files, because boto3 reports them."""
    settings = configparser.RawConfigParser(strict=False)
    try:
        settings.read(path)
    except configparser.Error:
        return None
    sections = (f"profile {profile}", profile)
    return next((settings[name]["region"] for name in sections if settings.has_option(name, "region")), None)


if __name__ == "__main__" and not region(os.environ):
    sys.exit(MISSING)
