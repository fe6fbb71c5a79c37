// Search by prefixes of words, like the API's search.

/**
 * Returns whether every search word is a prefix of a word in a text. Words are runs of letters and digits.
 * @param {string} text
 * @param {string} words the search words
 */
export function hasWords(text, words) {
  const own = wordsOf(text);
  return wordsOf(words).every((word) => own.some((one) => one.startsWith(word)));
}

/**
 * Returns the items of a list whose name and hint match all search words.
 * @template {{name: string, hint?: string}} Named
 * @param {Named[]} list
 * @param {string} words
 * @returns {Named[]}
 */
export function matchingWords(list, words) {
  return list.filter(({ name, hint = '' }) => hasWords(`${name} ${hint}`, words));
}

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}
