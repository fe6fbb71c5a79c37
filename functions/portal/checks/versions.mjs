// Checks that each package's type definitions have the same version as the vendored copy that is served.

import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

const checked = JSON.parse(read("package.json")).devDependencies;
// Each row of the table starts with a package and its version: | [name](address) | 1.2.3 | …
const rows = read("../web/vendor/SOURCES.md").matchAll(/^\|\s*`?([@\w./-]+?)`?\s*\|\s*([\d.]+)\s*\|/gm);
const vendored = new Map([...rows].map(([, name, version]) => [name, version]));
if (vendored.size === 0) throw new Error("web/vendor/SOURCES.md has no table of packages");

for (const [name, version] of vendored) {
  if (name in checked && checked[name] !== version) {
    throw new Error(`${name}: types are of version ${checked[name]}, the vendored copy is ${version}`);
  }
}
