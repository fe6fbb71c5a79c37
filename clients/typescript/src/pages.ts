// Reads lists and searches page by page.

import type { Operation } from "./calls.js";
import type { Settings } from "./options.js";

/**
 * The paths of a page's rows and, if pages are numbered, of the total. `size` is the default page size, and
 * `reach` is the position of the last result that can be read (`null` for no limit).
 */
export interface Pages {
  rows: string;
  numbered?: { size: number; reach: number | null; total: string };
}

/** The parts of a request that differ between pages. */
interface Parts {
  body?: Record<string, any>;
  params?: { query?: Record<string, unknown> };
}

/** Makes one call, with the given parts of a request. */
type Read = (parts: Parts) => Promise<unknown>;
type Log = Settings["log"];

/** Yields the pages of a list or a search. */
export async function* pages(operation: Operation, init: Parts, read: Read, log: Log): AsyncGenerator {
  const { numbered } = operation.pages!;
  if (numbered === undefined) return yield* byCursor(init, read);
  const { size, reach, total } = numbered;
  const position = { page: 1, page_size: size, ...init.body?.pagination };
  for (; ; position.page += 1) {
    const page = await read({ body: { ...init.body, pagination: position } });
    yield page;
    const all = Number(at(page, total));
    const soFar = position.page * position.page_size;
    if (soFar >= all || rowsOf(operation, page).length === 0) return;
    if (reach !== null && soFar + position.page_size > reach) {
      return log.warn(`${operation.name}: read ${soFar} of ${all} results: narrow the filter`);
    }
  }
}

export function rowsOf(operation: Operation, page: unknown): unknown[] {
  return at(page, operation.pages!.rows) as unknown[];
}

async function* byCursor({ params }: Parts, read: Read): AsyncGenerator {
  let query: Record<string, unknown> = { limit: 100, ...params?.query };
  do {
    const page = await read({ params: { ...params, query } });
    yield page;
    query = { ...query, cursor: at(page, "pagination.cursor") };
  } while (query.cursor);
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((found: any, name) => found[name], value);
}
