// Writes the types of openapi.yaml to where the portal's modules find them as `openapi`.
//
// openapi-typescript takes the members of a `$ref` and drops a `required` beside it, by which a schema says
// which members of another one are always there. As an `allOf` it reads both.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";

const CONTRACT = new URL("../../../openapi.yaml", import.meta.url);
const TYPES = new URL("generated/openapi.d.ts", import.meta.url);

const withRequired = (node) => {
  if (Array.isArray(node)) return node.map(withRequired);
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).map(([name, value]) => [name, withRequired(value)]);
  const members = Object.fromEntries(entries);
  if (!("$ref" in members && "required" in members)) return members;
  const { $ref, ...others } = members;
  return { allOf: [{ $ref }], ...others };
};

const contract = withRequired(load(readFileSync(CONTRACT, "utf8")));
mkdirSync(new URL(".", TYPES), { recursive: true });
writeFileSync(TYPES, astToString(await openapiTS(contract, { defaultNonNullable: false })));
