// Search by prefixes of words, like the API's search.

/**
 * Returns whether each word is a prefix of one of a string's words (runs of letters and digits).
 * @param {string} text
 * @param {string} words
 */
export function hasWords(text, words) {
  const own = wordsOf(text);
  return wordsOf(words).every((word) => own.some((one) => one.startsWith(word)));
}

/**
 * Filters a list by words in the name or hint.
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
