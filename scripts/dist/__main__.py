"""Makes an archive of `marquee` for this platform, with a checksum: `make dist`.

  python3 scripts/dist FOLDER              builds the program, and writes the archive into FOLDER
  python3 scripts/dist FOLDER PROGRAM      packs a program that is already built

The archive contains the program, the tables that it builds the sample release from, and, if the program is
linked statically, a Dockerfile. It is the same for the same program, byte for byte.
"""

import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent


def build():
    """Builds the program, without shared libraries if this machine supports it, and returns its path."""
    target = static_target()
    if target is None:
        print("no musl toolchain found (on Debian: apt-get install musl-tools): the program will need this "
              "machine's C library, and the archive won't have a Dockerfile", flush=True)
        options, folder = [], "release"
    else:
        options, folder = ["--target", target], f"{target}/release"
    subprocess.run(["cargo", "build", "--release", "--locked", "--bin", "marquee", *options], cwd=ROOT, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / folder / "marquee"


def static_target():
    """Returns the Rust target with the static C library musl, or None if it can't be built here."""
    if platform.system() != "Linux" or not shutil.which("musl-gcc"):
        return None
    target = f"{platform.machine()}-unknown-linux-musl"
    if shutil.which("rustup"):
        subprocess.run(["rustup", "target", "add", target], cwd=ROOT, check=True)
    libraries = subprocess.run(["rustc", "--print", "target-libdir", "--target", target], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE)
    return target if libraries.returncode == 0 and pathlib.Path(libraries.stdout.strip()).exists() else None


def is_static(program):
    """Returns whether a program is a 64-bit ELF file without a shared library loader (PT_INTERP)."""
    data = program.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        return False
    start, size, count = (int.from_bytes(data[at:at + width], "little") for at, width in [(32, 8), (54, 2), (56, 2)])
    kinds = [int.from_bytes(data[start + size * number:][:4], "little") for number in range(count)]
    return 3 not in kinds


def archive_name(program):
    """Returns the archive's name, which contains the program's version and platform."""
    printed = subprocess.run([program, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout
    version = re.fullmatch(r"marquee (\S+)\n", printed)[1]
    return f"marquee-{version}-{platform.machine()}-{platform.system().lower()}"


def pack(program, folder):
    """Writes the archive and its checksum, and returns the archive's path."""
    name = archive_name(program)
    tables = subprocess.run(["git", "ls-files", "data"], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE)
    files = {"marquee": program} | {path: ROOT / path for path in sorted(tables.stdout.splitlines())}
    if is_static(program):
        files["Dockerfile"] = HERE / "Dockerfile"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.tar.gz"
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as compressed:
        with tarfile.open(mode="w", fileobj=compressed) as archive:
            # The folder for the database and the release.
            add(archive, f"{name}/.local", tarfile.DIRTYPE, 0o700, b"")
            for inside, file in files.items():
                mode = 0o755 if inside == "marquee" else 0o644
                add(archive, f"{name}/{inside}", tarfile.REGTYPE, mode, file.read_bytes())
    sum_of = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{sum_of}  {path.name}\n")
    return path


def add(archive, name, kind, mode, content):
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode, entry.size = kind, mode, len(content)
    archive.addfile(entry, io.BytesIO(content))


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2:]
    program = pathlib.Path(program[0]) if program else build()
    path = pack(program, folder)
    linked = "static" if is_static(program) else "linked with shared libraries"
    print(f"{path} ({path.stat().st_size / 1e6:,.1f} MB, {linked})\n{path}.sha256")


if __name__ == "__main__":
    main()
