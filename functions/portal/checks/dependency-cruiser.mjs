// The rules for imports among the portal's modules: no cycles, and between folders only the imports listed in
// the table in docs/explanation/architecture.md. Type imports and dynamic imports count too.

import { readFileSync, readdirSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The modules that any module can import. */
const LEAVES = ["addresses.js", "configuration.js"];

/** Packages that are imported only as types. Browsers don't load them. */
const TYPES = ["geojson", "openapi", "topojson-specification"];

/** The rows of the table: each folder or module, with the folders and modules that it may import. */
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

/**
 * Returns the rule for one folder or module. A folder of pages may also import everything that `pages` may.
 */
function ruleFolder(name, imports) {
  const shared = name.startsWith("pages/") ? table.get("pages") : [];
  const allowed = modules([name, ...LEAVES, ...imports, ...shared]);
  return forbid(`import that ${name} may not have`, { path: modules([name]) }, {
    path: "^\\.\\./web/", pathNot: allowed,
  });
}

/** Returns the rule for folders of pages without their own row: they can't import each other. */
function rulePages(name, imports) {
  const own = [...table.keys()].filter((name) => name.startsWith("pages/"));
  const from = { path: "^\\.\\./web/(pages/[^/]+/)", pathNot: modules(own) };
  return forbid(`import that ${name} may not have`, from, {
    path: "^\\.\\./web/", pathNot: ["^\\.\\./web/$1", modules([...LEAVES, ...imports])],
  });
}

/** Returns a pattern that matches the modules in these folders or with these names. */
function modules(names) {
  return `^\\.\\./web/(${names.map((name) => (name.endsWith(".js") ? `${name}$` : `${name}/`)).join("|")})`;
}

function forbid(name, from, to) {
  return { name, severity: "error", from, to };
}
