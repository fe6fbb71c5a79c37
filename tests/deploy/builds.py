"""The program that builds releases, and the build cache from the Rust tests."""

import pathlib
import shutil
import sys

from cloudformation import ROOT

sys.path.append(str(ROOT / "scripts" / "deploy"))
from release import marquee

PROGRAM = pathlib.Path(marquee()).resolve()
CACHE = PROGRAM.parents[1] / "tmp" / "cache"


def copy_cache(releases):
    """Copies the parts that releases share into a folder for releases, if the Rust tests have built them.

    A build without these parts takes 40 seconds of processor time.
    """
    copy = pathlib.Path(releases) / ".cache"
    if CACHE.exists() and not copy.exists():
        # Other tests can be adding parts at the same time, which have such names until they are complete.
        ignored = shutil.ignore_patterns("displays-*", "sources-*", "*.new-*")
        shutil.copytree(CACHE, copy, ignore=ignored)
