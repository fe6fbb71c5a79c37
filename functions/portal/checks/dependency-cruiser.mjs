// The rules for imports among the portal's modules: no cycles, and between folders only the imports that the
// table in docs/explanation/architecture.md lists. Imports of types and imports on demand count too.

import { readFileSync, readdirSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The modules that every other module can import. */
const LEAVES = ["addresses.js", "configuration.js"];

/** Names that only types import. No browser reads them. */
const TYPES = ["geojson", "openapi", "topojson-specification"];

/** Where each rule applies: the folders of the table, each with the folders that it may import. */
const table = new Map(LEAVES.map((leaf) => [leaf, []]));
const row = /^\| `functions\/portal\/web\/([\w/.-]+)` \|.*\| ([^|]+) \|$/gm;
for (const [, name, imports] of read("../../../docs/explanation/architecture.md").matchAll(row)) {
  const listed = imports.matchAll(/`(?:functions\/portal\/web\/)?([\w/.-]+)`/g);
  table.set(name, [...listed].map(([, imported]) => imported));
}
const WEB = new URL("../web", import.meta.url);
const folders = readdirSync(WEB).filter((name) => /^[\w-]+(\.js)?$/.test(name));
const unlisted = folders.filter((name) => !table.has(name) && !["styles", "vendor"].includes(name));
if (unlisted.length > 0) {
  throw new Error(`docs/explanation/architecture.md does not list these in web: ${unlisted}`);
}

const importMap = /<script type="importmap">(.*?)<\/script>/s.exec(read("../web/index.html"))[1];
const packages = [...Object.keys(JSON.parse(importMap).imports), ...TYPES];

export default {
  forbidden: [
    forbid("import cycle", {}, { circular: true }),
    ...[...table].map(([name, imports]) => (name === "pages" ? rulePages : ruleFolder)(name, imports)),
    forbid("page not loaded on demand", { path: modules(["routes.js"]) }, {
      path: modules(["pages"]), dependencyTypesNot: ["dynamic-import"],
    }),
    forbid("map outside map and pages", { pathNot: modules(["map", "pages"]) }, { path: "^maplibre-gl$" }),
    forbid("package not in the import map", {}, {
      couldNotResolve: true, pathNot: `^(${packages.join("|")})$`,
    }),
  ],
  options: {
    exclude: "^\\.\\./web/vendor/",
    parser: "tsc",
    tsPreCompilationDeps: true,
    detectJSDocImports: true,
  },
};

/** The rule for one folder or module. The folders of pages may import what `pages` may, in addition. */
function ruleFolder(name, imports) {
  const shared = name.startsWith("pages/") ? table.get("pages") : [];
  const allowed = modules([name, ...LEAVES, ...imports, ...shared]);
  return forbid(`import that ${name} may not have`, { path: modules([name]) }, {
    path: "^\\.\\./web/", pathNot: allowed,
  });
}

/** The rule for the folders of pages that have no row of their own: none imports another. */
function rulePages(name, imports) {
  const own = [...table.keys()].filter((name) => name.startsWith("pages/"));
  const from = { path: "^\\.\\./web/(pages/[^/]+/)", pathNot: modules(own) };
  return forbid(`import that ${name} may not have`, from, {
    path: "^\\.\\./web/", pathNot: ["^\\.\\./web/$1", modules([...LEAVES, ...imports])],
  });
}

/** A pattern of the modules in these folders, or with these names. */
function modules(names) {
  return `^\\.\\./web/(${names.map((name) => (name.endsWith(".js") ? `${name}$` : `${name}/`)).join("|")})`;
}

function forbid(name, from, to) {
  return { name, severity: "error", from, to };
}
