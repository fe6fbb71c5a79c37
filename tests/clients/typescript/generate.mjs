// Generates the types. Integers that can exceed 2^53 are `number | bigint`.

import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const { createKeywordTypeNode, createUnionTypeNode } = ts.factory;
const integer = createUnionTypeNode([
  createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
]);
const types = await openapiTS(readFileSync("openapi.yaml", "utf8"), {
  defaultNonNullable: false,
  transform: (_, { path }) => (path === "#/components/schemas/Int64" ? integer : undefined),
});
writeFileSync("marquee.d.ts", astToString(types));
