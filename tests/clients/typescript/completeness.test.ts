// Tests that the generated types have all operations, responses, and members of the contract.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

interface Schema {
  $ref?: string;
  type?: string | (string | null)[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Answer { $ref?: string; content?: Record<string, { schema: Schema }> }
interface Operation { operationId: string; requestBody?: Answer; responses: Record<string, Answer> }

const generated = new URL("../", import.meta.url);
const contract = JSON.parse(readFileSync(new URL("openapi.json", generated), "utf8"));
const file = fileURLToPath(new URL("marquee.d.ts", generated));
const program = ts.createProgram([file], { strict: true, noLib: false });
const checker = program.getTypeChecker();

const operations: Operation[] = Object.values<Record<string, Operation>>(contract.paths).flatMap((path) =>
  ["get", "post", "put", "patch", "delete"].flatMap((method) => path[method] ?? []));

function resolved<T extends { $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  const names = node.$ref.slice(2).split("/");
  return resolved(names.reduce((found, name) => found[name], contract));
}

function member(type: ts.Type, name: string, where: string): ts.Type {
  const found = checker.getPropertyOfType(type, name);
  assert.ok(found, `${where} lacks ${name}`);
  return checker.getTypeOfSymbol(found);
}

/** Returns the members of a union type, or a list with only the type itself. */
const possible = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

const seen = new Set<string>();
let members = 0;

/** The names that a type must have: all, some (another schema narrows the type), or no additional names. */
type Part = "whole" | "narrowed" | "narrowing";

/** Checks that a type allows each kind of value in a schema, and has all members of its objects. */
function check(schema: Schema, type: ts.Type, where: string, part: Part = "whole"): void {
  const lost = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never;
  assert.ok(!(type.flags & lost), `${where} is ${checker.typeToString(type)}`);
  const { allOf = [], anyOf = [], oneOf = [], ...own } = resolved(schema);
  for (const one of allOf) check(one, type, where, "narrowed");
  for (const one of [...anyOf, ...oneOf]) check(one, type, where, part);
  const ownPart = allOf.length > 0 ? "narrowing" : part;
  const names = own.enum ?? (own.const === undefined ? [] : [own.const]);
  if (names.length > 0) checkNames(names, type, where, ownPart);
  if (own.items) checkItems(own.items, type, where, ownPart);
  if (own.properties) checkMembers(own, type, where, ownPart);
}

function checkNames(names: unknown[], type: ts.Type, where: string, part: Part): void {
  const literals: unknown[] = possible(type).map((one) => (one.isLiteral() ? one.value : null));
  const missing = names.filter((name) => !literals.includes(name));
  const foreign = literals.filter((literal) => !names.includes(literal));
  const most = part === "narrowed" ? names.length - 1 : 0;
  assert.ok(missing.length <= most, `${where} lacks ${missing}`);
  assert.ok(part !== "narrowing" || foreign.length === 0, `${where} allows ${foreign}`);
}

function checkItems(items: Schema, type: ts.Type, where: string, part: Part): void {
  const lists = possible(type).filter((one) => checker.isArrayType(one) || checker.isTupleType(one));
  assert.ok(lists.length > 0, `${where} isn't a list`);
  const of = checker.getTypeArguments(lists[0] as ts.TypeReference)[0];
  assert.ok(of);
  check(items, of, `${where}[]`, part);
}

/** Checks that at least one type of a union has all members of an object. */
function checkMembers(schema: Schema, type: ts.Type, where: string, part: Part): void {
  const failures: unknown[] = [];
  for (const one of possible(type)) {
    try {
      return checkObject(schema, one, where, part);
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw failures.at(-1);
}

function checkObject(schema: Schema, type: ts.Type, where: string, part: Part): void {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const key = `${where.split(/[ .]/).at(-1)} ${names} ${part} ${checker.typeToString(type)}`;
  if (seen.has(key)) return;
  for (const name of names) {
    check(properties[name] ?? {}, member(type, name, where), `${where}.${name}`, part);
    assert.ok(!required.includes(name) || !isOptional(type, name), `${where}.${name} must be required`);
  }
  seen.add(key);
  members += names.length;
}

const isOptional = (type: ts.Type, name: string): boolean =>
  Boolean((checker.getPropertyOfType(type, name)?.flags ?? 0) & ts.SymbolFlags.Optional);

test("has all operations, responses, and members with their types", (context) => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const types = module && checker.getExportsOfModule(module).find(({ name }) => name === "operations");
  assert.ok(types);
  let answers = 0;
  for (const { operationId, requestBody, responses } of operations) {
    const operation = member(checker.getDeclaredTypeOfSymbol(types), operationId, "operations");
    const sent = Object.entries(requestBody?.content ?? {});
    for (const [media, { schema }] of sent) {
      const content = member(member(operation, "requestBody", operationId), "content", operationId);
      check(schema, member(content, media, operationId), operationId);
    }
    for (const [status, answer] of Object.entries(responses)) {
      const where = `${operationId} ${status}`;
      for (const [media, { schema }] of Object.entries(resolved(answer).content ?? {})) {
        const response = member(member(operation, "responses", where), status, where);
        check(schema, member(member(response, "content", where), media, where), where);
        answers += 1;
      }
    }
  }
  const counts = `${answers} responses by media type, ${members} members`;
  context.diagnostic(`${operations.length} operations, ${counts}`);
});
