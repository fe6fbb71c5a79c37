// Generates the types of openapi.yaml, which the portal's modules import as `openapi`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";

const CONTRACT = new URL("../../../openapi.yaml", import.meta.url);
const TYPES = new URL("generated/openapi.d.ts", import.meta.url);

// The pages are released with the contract, so their types contain only its values. This lets the type check
// find incomplete tables of values.
const open = JSON.stringify(load(readFileSync(CONTRACT, "utf8")));
const contract = JSON.parse(open.replaceAll('"x-extensible-enum":', '"enum":'));
mkdirSync(new URL(".", TYPES), { recursive: true });
writeFileSync(TYPES, astToString(await openapiTS(contract, { defaultNonNullable: false })));
