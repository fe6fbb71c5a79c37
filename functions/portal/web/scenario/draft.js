// Functions that the forms of campaigns, events, and searches share.

/** @typedef {import('../api/errors.js').Violation} Violation */

/**
 * Returns the members that aren't empty.
 * @template {Record<string, string | null>} T
 * @param {T} members
 * @returns {Partial<T>}
 */
export function filled(members) {
  return /** @type {Partial<T>} */ (Object.fromEntries(Object.entries(members).filter(([, text]) => text)));
}

/**
 * Returns the fields of an empty form, with the given strings filled in.
 * @template {Record<string, string>} T
 * @param {T} empty
 * @param {Partial<Record<keyof T, string | null>>} [given]
 * @returns {T}
 */
export function texts(empty, given = {}) {
  return { ...empty, ...filled(/** @type {Record<string, string | null>} */ (given)) };
}

/** The error for a day that `isPlausible` rejects. */
export const IMPLAUSIBLE = 'choose a year from 2000 to 2099';

/**
 * Returns whether a day or a local time is in the 21st century. Other years are treated as typos.
 * @param {string} day such as `2027-04-05`; empty if it hasn't been chosen
 */
export function isPlausible(day) {
  return day === '' || /^20\d\d-/.test(day);
}

/**
 * Returns a list of errors, and a function that adds an error if a condition is false.
 * @returns {{faults: Violation[], need: (holds: boolean, pointer: string, detail: string) => void}}
 */
export function checks() {
  /** @type {Violation[]} */
  const faults = [];
  return {
    faults,
    need: (holds, pointer, detail) => {
      if (!holds) faults.push({ pointer, detail });
    },
  };
}
