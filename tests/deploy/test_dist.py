"""Tests of `make dist`, with the program that the other tests use."""

import pathlib
import shlex
import subprocess
import sys
import tarfile
import tempfile
import unittest

from builds import PROGRAM, copy_cache
from fake_account import ROOT

DIST = ROOT / "scripts" / "dist"


def printed(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        printed(sys.executable, DIST, cls.folder, PROGRAM)
        [cls.archive] = cls.folder.glob("*.tar.gz")
        cls.name = cls.archive.name.removesuffix(".tar.gz")
        with tarfile.open(cls.archive) as archive:
            cls.entries = archive.getmembers()
            archive.extractall(cls.folder / "out", filter="data")
        cls.extracted = cls.folder / "out" / cls.name

    def test_has_the_checksum_that_is_beside_it(self):
        checked = printed("sha256sum", "--check", f"{self.archive.name}.sha256", cwd=self.folder)
        self.assertEqual(checked, f"{self.archive.name}: OK\n")

    def test_has_the_program_and_the_tables_of_the_sample(self):
        tables = printed("git", "ls-files", "data", cwd=ROOT).splitlines()
        names = {entry.name.removeprefix(f"{self.name}/") for entry in self.entries}
        # The archive contains a Dockerfile only if the program has no shared libraries, because the image is
        # empty.
        self.assertEqual(names - {"Dockerfile"}, {".local", "marquee", *tables})
        for table in tables:
            self.assertEqual((self.extracted / table).read_bytes(), (ROOT / table).read_bytes(), table)

    def test_program_runs_after_extraction(self):
        version = printed(self.extracted / "marquee", "--version", cwd=self.extracted)
        self.assertEqual(version, printed(PROGRAM, "--version"))
        self.assertTrue(self.name.startswith(version.strip().replace(" ", "-")), self.name)
        # `release build` needs only this folder of the repository. It reads all tables, even with a cache.
        copy_cache(self.extracted / ".local" / "releases")
        built = printed(self.extracted / "marquee", "release", "build", cwd=self.extracted)
        self.assertIn("sample-", built)
        self.assertTrue((self.extracted / ".local" / "releases" / "latest" / "manifest.json").exists())

    def test_is_the_same_for_the_same_program(self):
        printed(sys.executable, DIST, self.folder / "again", PROGRAM)
        self.assertEqual((self.folder / "again" / self.archive.name).read_bytes(), self.archive.read_bytes())


class Image(unittest.TestCase):
    def test_starts_the_service_on_the_address_of_the_container(self):
        lines = (DIST / "Dockerfile").read_text().splitlines()
        steps = dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
        self.assertEqual(steps["FROM"], "scratch")
        self.assertEqual(steps["CMD"], '["serve", "--bind", "0.0.0.0"]')
        self.assertEqual(steps["VOLUME"], f"{steps['WORKDIR']}/.local")
        self.assertEqual(steps["ENTRYPOINT"], f'["{steps["WORKDIR"]}/marquee"]')
        self.assertNotEqual(steps["USER"].split(":")[0], "0")
        # All documents publish the port only on this machine.
        guides = ROOT / "docs" / "how-to"
        documents = (DIST / "Dockerfile", ROOT / "README.md", guides / "local.md", guides / "backup-and-restore.md")
        for document in documents:
            text = document.read_text().replace("\\\n", " ")
            commands = [line.lstrip("# ") for line in text.splitlines() if "docker run" in line]
            self.assertTrue(commands, document)
            for command in commands:
                words = shlex.split(command)
                self.assertEqual(words[words.index("--publish") + 1], "127.0.0.1:3000:3000", document)

    def test_backups_use_the_volume_and_the_owner_of_the_image(self):
        dockerfile = (DIST / "Dockerfile").read_text()
        guide = (ROOT / "docs" / "how-to" / "backup-and-restore.md").read_text()
        commands = [shlex.split(line) for line in guide.splitlines() if line.startswith("    docker ")]
        created = {words[words.index("--name") + 1] for words in commands if words[1] == "create"}
        for words in commands:
            if words[1] in ("create", "run"):
                self.assertIn(f"\nVOLUME {words[words.index('--volume') + 1].split(':')[1]}\n", dockerfile)
            if words[1] == "cp":
                # A container that was started with --rm is deleted when it stops.
                [container] = [word.split(":")[0] for word in words if ":" in word]
                self.assertIn(container, created)
                # Only copying as an archive keeps the files' owner.
                self.assertIn("-", words)
        self.assertIn("user 65532", guide)
        self.assertIn("\nUSER 65532:65532\n", dockerfile)


if __name__ == "__main__":
    unittest.main()
