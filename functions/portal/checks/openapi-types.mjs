// Generates the types of openapi.yaml, which the portal's modules import as `openapi`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";

const CONTRACT = new URL("../../../openapi.yaml", import.meta.url);
const TYPES = new URL("generated/openapi.d.ts", import.meta.url);

// `x-extensible-enum` tells clients to expect values that aren't listed. The portal is released together with
// openapi.yaml, so its types contain only the listed values. The type check can then find tables that lack a
// value.
const open = JSON.stringify(load(readFileSync(CONTRACT, "utf8")));
const contract = JSON.parse(open.replaceAll('"x-extensible-enum":', '"enum":'));
mkdirSync(new URL(".", TYPES), { recursive: true });
writeFileSync(TYPES, astToString(await openapiTS(contract, { defaultNonNullable: false })));
