// The client and its constructor.

import createClient, {
  type Client as FetchClient,
  type ClientPathsWithMethod,
  type FetchOptions,
  type FetchResponse,
  type MaybeOptionalInit,
  type ParseAs,
} from "openapi-fetch";
import { Calls, type Operation } from "./calls.js";
import { errorOf, MarqueeError } from "./errors.js";
import type { paths } from "./generated/marquee.js";
import { OPERATIONS, type Paged } from "./generated/operations.js";
import { parseJson, stringifyJson } from "./json.js";
import { type Options, settingsOf } from "./options.js";
import { pages, rowsOf } from "./pages.js";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Typed = FetchClient<paths, "application/json">;
type OperationOf<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The parts of a request. They aren't inferred, so the compiler reports unknown members. */
type Init<T, A extends ParseAs> =
  Pick<FetchOptions<T>, "params" | "body" | "headers" | "signal"> & { parseAs?: A };
type Arguments<P extends keyof paths, M extends Method, A extends ParseAs = never> =
  undefined extends MaybeOptionalInit<paths[P], M>
    ? [init?: Init<OperationOf<P, M>, A>]
    : [init: Init<OperationOf<P, M>, A>];

/** The body of a successful response. It's `undefined` if the response is empty, or unchanged (304). */
type Data<T extends Record<string, any>, A extends ParseAs> =
  | Extract<FetchResponse<T, { parseAs: A }, "application/json">, { data: unknown }>["data"]
  | (T extends { responses: { 304: unknown } } ? undefined : never);

/** Makes a call. Throws a `MarqueeError` unless it succeeds. */
type Call<M extends Method> = <P extends ClientPathsWithMethod<Typed, M>, A extends ParseAs = "json">(
  path: P,
  ...init: Arguments<P, M, A>
) => Promise<{ data: Data<OperationOf<P, M>, A>; response: Response }>;

/** A page of a list or a search. */
export type Page<P extends keyof Paged> = Data<OperationOf<P, Paged[P]>, "json">;

/** An item of a list or a search. */
export type Item<P extends keyof Paged> = Page<P> extends Rows<infer I> | { data: Rows<infer I> } ? I : never;
type Rows<I> = { data: I[] } | { results: I[] };

/** A client of the service. */
export interface Client extends Pick<Typed, "use" | "eject"> {
  GET: Call<"get">;
  POST: Call<"post">;
  PUT: Call<"put">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
  /** Yields the pages of a list or a search. Each page is one call. */
  pages<P extends keyof Paged>(path: P, ...init: Arguments<P, Paged[P]>): AsyncGenerator<Page<P>>;
  /** Yields the items of all pages. */
  items<P extends keyof Paged>(path: P, ...init: Arguments<P, Paged[P]>): AsyncGenerator<Item<P>>;
}

/** Returns a client of the service. Makes no call yet. */
export function connect(options: Options): Client {
  const settings = settingsOf(options);
  const calls = new Calls(settings);
  const inner = createClient<Record<string, any>>({ bodySerializer: stringifyJson });

  const call = (method: Method) => async (path: string, init: Record<string, any> = {}) => {
    const operation = OPERATIONS[`${method.toUpperCase()} ${path}`];
    if (!operation) throw new TypeError(`${method.toUpperCase()} "${path}" isn't an operation of the API`);
    const isJson = (init.parseAs ?? "json") === "json";
    const { data, error, response } = await inner.request(method, path, {
      ...init,
      baseUrl: await calls.base(operation),
      fetch: (request: Request) => calls.send(operation, request),
      parseAs: isJson ? "text" : init.parseAs,
    });
    if (!response.ok && response.status !== 304) throw errorOf(response, error);
    return { data: isJson && data !== undefined ? parsed(operation, data, response.status) : data, response };
  };
  const methods = {
    GET: call("get"), POST: call("post"), PUT: call("put"), PATCH: call("patch"), DELETE: call("delete"),
  };

  const read = (path: string, init: Record<string, any> = {}) => {
    const method = OPERATIONS[`GET ${path}`]?.pages ? "GET" : "POST";
    const operation = OPERATIONS[`${method} ${path}`];
    if (!operation?.pages) throw new TypeError(`"${path}" isn't a paged operation of the API`);
    const page = async (parts: object) => (await methods[method](path, { ...init, ...parts })).data;
    return { operation, pages: pages(operation, init, page, settings.log) };
  };
  async function* itemsOf(list: ReturnType<typeof read>) {
    for await (const page of list.pages) yield* rowsOf(list.operation, page);
  }
  const pagers = {
    pages: (path: string, init?: object) => read(path, init).pages,
    items: (path: string, init?: object) => itemsOf(read(path, init)),
  };
  return { ...methods, ...pagers, use: inner.use, eject: inner.eject } as unknown as Client;
}

function parsed(operation: Operation, text: string, status: number): unknown {
  try {
    return parseJson(text);
  } catch {
    const message = `${operation.name}: the ${status} response isn't JSON: pass parseAs for other formats`;
    throw new MarqueeError("UNEXPECTED_RESPONSE", message, status);
  }
}
