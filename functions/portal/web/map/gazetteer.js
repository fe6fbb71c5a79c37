// The names of states, counties, cities, and ZIP codes, from the release. There's a separate list for each
// initial letter.

import { call } from '../api/client.js';
import { hasWords } from '../ui/word-search.js';

/** @typedef {import('../api/types').Answer<'read_gazetteer'>[number]} NamedArea */

/** @type {Map<string, Promise<NamedArea[]>>} */
const lists = new Map();

/**
 * Returns the areas whose names contain all words, most populous first. The list for the first word's initial
 * letter is fetched only once, at no cost.
 * @param {string} words
 * @returns {Promise<NamedArea[]>}
 */
export async function findAreas(words) {
  const plain = folded(words.trim());
  const initial = plain.charAt(0);
  if (!/^[0-9a-z]$/.test(initial)) return [];
  const list = await listOf(initial);
  return list.filter(({ name, state }) => {
    const own = folded(`${name} ${state}`);
    return own.startsWith(plain) || hasWords(own, plain);
  });
}

/** @param {string} initial */
function listOf(initial) {
  const known = lists.get(initial);
  if (known) return known;
  const list = call('read_gazetteer', { path: { initial } }).then(({ body }) => body);
  list.catch(() => lists.delete(initial));
  lists.set(initial, list);
  return list;
}

/** @param {string} text */
function folded(text) {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}
