// Reads and writes JSON without rounding integers, which can have up to 64 bits.

import { parse, stringify } from "lossless-json";

/** Parses JSON like `JSON.parse`, but returns integers beyond 2^53 as `bigint`. */
export function parseJson(text: string): unknown {
  // `JSON.parse` is about 30 times as fast, and exact for integers with fewer than 16 digits.
  return /\d{16}/.test(text) ? parse(text, undefined, numberOf) : JSON.parse(text);
}

/** Writes JSON like `JSON.stringify`, but also writes `bigint`, as integers. */
export function stringifyJson(value: unknown, space?: number | string): string {
  return stringify(value, undefined, space) ?? "";
}

function numberOf(digits: string): number | bigint {
  const number = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}
