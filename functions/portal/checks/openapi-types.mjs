// Generates the types of openapi.yaml, which the portal's modules import as `openapi`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";

const CONTRACT = new URL("../../../openapi.yaml", import.meta.url);
const TYPES = new URL("generated/openapi.d.ts", import.meta.url);

const contract = load(readFileSync(CONTRACT, "utf8"));
mkdirSync(new URL(".", TYPES), { recursive: true });
writeFileSync(TYPES, astToString(await openapiTS(contract, { defaultNonNullable: false })));
