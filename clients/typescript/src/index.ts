// A client of the Marquee API, which plans out-of-home advertising.

export { type Client, connect, type Item, type Page } from "./client.js";
export { MarqueeError } from "./errors.js";
export type { components, operations, paths } from "./generated/marquee.js";
export { type ErrorCode, type Paged, VERSION } from "./generated/operations.js";
export { parseJson, stringifyJson } from "./json.js";
export type { Clock, Options } from "./options.js";
