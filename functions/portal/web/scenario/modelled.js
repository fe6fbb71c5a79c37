// The modelled properties of displays: the properties that the portal shows and a model can fill in, and the
// notes about them.

import { date } from '../ui/format.js';

/** @typedef {import('../api/types').Schema<'Display'>} DisplayRecord */

/** The note about displays whose data is partly modelled. */
const MODELLED =
  'Some properties of displays, such as sizes, directions, and impressions, are modelled, not measured.';

/** The nouns for the modelled properties, by the property's path in a record of inventory search. */
const WORDS = new Map([
  ['layouts.faces.width', 'size'], ['location.orientation', 'direction'],
  ['weekly_impressions', 'impressions'],
]);

/**
 * Returns the nouns for the modelled properties of a display that a search returned.
 * @param {string[] | undefined} paths the modelled members of the record
 */
export function modelledInSearch(paths) {
  return [...WORDS].filter(([path]) => paths?.includes(path)).map(([, word]) => word);
}

/**
 * Returns the nouns for the modelled properties of a display that was looked up.
 * @param {DisplayRecord | undefined} record
 */
export function modelledInLookup(record) {
  return (record?.modelled ?? []).map((member) => (member === 'orientation' ? 'direction' : member));
}

/**
 * Returns the notes about displays for exports: whether any data is modelled, and where the data comes from.
 * @param {import('../api/types').Schema<'Provenance'> | undefined} provenance
 */
export function displayNotes(provenance) {
  if (!provenance) return [];
  const { data_maturity: maturity, source, data_vintage: vintage } = provenance;
  return [
    ...(maturity === 'production' ? [] : [MODELLED]),
    `Source of the displays: ${source}${vintage ? `, ${date(vintage)}` : ''}`,
  ];
}
