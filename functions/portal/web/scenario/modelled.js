// The properties of displays that the portal shows and that a model can fill in.

/** @typedef {import('../api/types').Schema<'Display'>} DisplayRecord */

/** The nouns for these properties, by the property's path in a record of inventory search. */
const WORDS = new Map([
  ['layouts.faces.width', 'size'], ['location.orientation', 'direction'],
  ['weekly_impressions', 'impressions'],
]);

/**
 * Returns words for the modelled properties of a display that was searched for.
 * @param {string[] | undefined} paths the modelled members of the record
 */
export function modelledInSearch(paths) {
  return [...WORDS].filter(([path]) => paths?.includes(path)).map(([, word]) => word);
}

/**
 * Returns words for the modelled properties of a display that was looked up.
 * @param {DisplayRecord | undefined} record
 */
export function modelledInLookup(record) {
  return (record?.modelled ?? []).map((member) => (member === 'orientation' ? 'direction' : member));
}
