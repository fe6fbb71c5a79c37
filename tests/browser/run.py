#!/usr/bin/env python3
"""Runs the tests in a browser: `run.py [-k PART_OF_A_NAME] [FILES]`, two files at a time on one release.

`python3 -m unittest` in this folder runs them one after the other.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from service import sample_release

HERE = pathlib.Path(__file__).resolve().parent
PARALLEL = 2
# A test that hangs must not keep the others' results from whoever waits for them.
LONGEST = 600


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", dest="names", action="append", default=[], metavar="NAME")
    parser.add_argument("files", nargs="*")
    asked = parser.parse_args()
    started = time.monotonic()
    modules = [pathlib.Path(file).stem for file in asked.files or longest_first()]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MARQUEE_RELEASE": str(sample_release(folder))}
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            runs = [pool.submit(run, module, asked.names, environment) for module in modules]
            results = [result(run) for run in concurrent.futures.as_completed(runs)]
    ran, failed = sum(ran for ran, _ in results), sum(failed for _, failed in results)
    print(f"{time.monotonic() - started:.0f} s\n{ran - failed} passed, {failed} failed")
    return 1 if failed else 0


def longest_first():
    """The files: those that go through all pages, then by their length, so that no long one ends alone."""
    through_all = [HERE / "test_accessibility.py", HERE / "test_pages.py"]
    others = [file for file in HERE.glob("test_*.py") if file not in through_all]
    return through_all + sorted(others, key=lambda file: file.stat().st_size, reverse=True)


def run(module, names, environment):
    chosen = [part for name in names for part in ("-k", name)]
    command = [sys.executable, "-m", "unittest", "--verbose", *chosen, module]
    return subprocess.run(command, cwd=HERE, env=environment, text=True, timeout=LONGEST,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def result(run):
    """Prints what a file's tests said; how many ran, and how many of them failed."""
    done = run.result()
    print(done.stdout, flush=True)
    ran = int(re.search(r"^Ran (\d+) test", done.stdout, re.MULTILINE)[1])
    failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", done.stdout)))
    nothing = 5
    if done.returncode not in (0, nothing) and not failed:
        failed = 1
    return max(ran, failed), failed


if __name__ == "__main__":
    sys.exit(main())
