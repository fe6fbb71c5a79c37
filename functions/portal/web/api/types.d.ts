// The types of API calls, from openapi.yaml. `make check-portal` generates the module `openapi`.

import type { components, operations } from "openapi";

/** An `operationId` of openapi.yaml. */
export type OperationId = keyof operations;

/** A schema of openapi.yaml by its name. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/**
 * The arguments of a call: `path`, `query`, and `body` if the operation has them, required if openapi.yaml
 * requires them. Every call accepts `headers` and an abort `signal`.
 */
export type Arguments<Id extends OperationId> = Addressed<operations[Id]["parameters"]> &
  Bodied<operations[Id]> & { headers?: Headers<operations[Id]["parameters"]>; signal?: AbortSignal };

/** The arguments as rest parameters, optional if the operation requires none. */
export type Given<Id extends OperationId> =
  {} extends Arguments<Id> ? [given?: Arguments<Id>] : [given: Arguments<Id>];

/** The JSON of an operation's 2xx responses; `undefined` for a response without a body. */
export type Answer<Id extends OperationId> = Json<Succeeded<operations[Id]["responses"]>>;

/** A function that makes calls. */
export type Call = <Id extends OperationId>(id: Id, ...given: Given<Id>) => Promise<Answer<Id>>;

type Succeeded<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202 | 204>];

// openapi-typescript uses `never` for parts that an operation lacks.
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
