#!/usr/bin/env python3
"""Runs the browser tests: `run.py [-k PART_OF_A_NAME] [FILES]`. Runs two files at a time on one release.

`python3 -m unittest` in this folder runs the files sequentially.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from service import sample_release

HERE = pathlib.Path(__file__).resolve().parent
PARALLEL = 2
SUMMARY = re.compile(r"^Ran (\d+) test", re.MULTILINE)


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
            runs = [pool.submit(run_to_its_end, module, asked.names, environment) for module in modules]
            results = [result(run) for run in concurrent.futures.as_completed(runs)]
    ran, failed = sum(ran for ran, _ in results), sum(failed for _, failed in results)
    print(f"{time.monotonic() - started:.0f} s\n{ran - failed} passed, {failed} failed")
    return 1 if failed else 0


def longest_first():
    """Returns the test files: first the one that opens all pages, then the others by size."""
    all_pages = HERE / "test_pages.py"
    others = [file for file in HERE.glob("test_*.py") if file != all_pages]
    return [all_pages, *sorted(others, key=lambda file: file.stat().st_size, reverse=True)]


def run_to_its_end(module, names, environment):
    """Runs a file's tests. If a test exceeds its time limit, runs them once more.

    Returns the last status and all output.
    """
    status, said = run(module, names, environment)
    if SUMMARY.search(said):
        return status, said
    status, again = run(module, names, environment)
    return status, f"{said}\n{module} did not finish and runs once more\n{again}"


def run(module, names, environment):
    """Runs a file's tests, and kills any leftover processes. Returns the status and the output."""
    chosen = [part for name in names for part in ("-k", name)]
    command = [sys.executable, "-m", "unittest", "--verbose", *chosen, module]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, cwd=HERE, env=environment, stdout=said, stderr=said,
                                   start_new_session=True)
        status = process.wait()
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        said.seek(0)
        return status, said.read()


def result(run):
    """Prints the output of a file's tests. Returns how many tests ran and how many failed."""
    status, said = run.result()
    print(said, flush=True)
    ran = SUMMARY.search(said)
    failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", said)))
    nothing = 5
    if status not in (0, nothing) and not failed:
        failed = 1
    return max(int(ran[1]) if ran else 0, failed), failed


if __name__ == "__main__":
    sys.exit(main())
