// The types of the interface's calls, from openapi.yaml: `make check-portal` makes the module `openapi`.

import type { components, operations } from "openapi";

/** An `operationId` of openapi.yaml. */
export type OperationId = keyof operations;

/** A schema of openapi.yaml by its name. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/**
 * What a call of an operation is given: `path` and `query` where it has such parameters, `body` where it
 * takes one. Each is required where openapi.yaml requires it. Any call takes `headers` and a `signal` that ends
 * it.
 */
export type Arguments<Id extends OperationId> = Addressed<operations[Id]["parameters"]> &
  Bodied<operations[Id]> & { headers?: Headers<operations[Id]["parameters"]>; signal?: AbortSignal };

/** The arguments as the rest of a function's parameters: they may be left out where none is required. */
export type Given<Id extends OperationId> =
  {} extends Arguments<Id> ? [given?: Arguments<Id>] : [given: Arguments<Id>];

/** The JSON of an operation's 2xx answers; `undefined` stands for an answer without a body. */
export type Answer<Id extends OperationId> = Json<Succeeded<operations[Id]["responses"]>>;

/** A function that makes calls. */
export type Call = <Id extends OperationId>(id: Id, ...given: Given<Id>) => Promise<Answer<Id>>;

type Succeeded<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202 | 204>];

// openapi-typescript types what an operation does not have as `never`.
type Addressed<Parameters> = {
  [Place in keyof Parameters as Place extends "path" | "query"
    ? NonNullable<Parameters[Place]> extends never ? never : Place
    : never]: Parameters[Place];
};

type Bodied<Operation> = Operation extends { requestBody: { content: { "application/json": infer Body } } }
  ? { body: Body }
  : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
    ? unknown extends Body ? {} : { body?: Body }
    : {};

type Headers<Parameters> = Parameters extends { header?: infer Named }
  ? (NonNullable<Named> extends never ? {} : Partial<NonNullable<Named>>) & { Accept?: string }
  : { Accept?: string };

type Json<Response> = Response extends { content: { "application/json": infer Body } } ? Body : undefined;
