// Things found by the beginnings of words, as the service's own search finds them.

/**
 * Tells whether each word begins one of a text's words, which are runs of letters and digits.
 * @param {string} text
 * @param {string} words
 */
export function hasWords(text, words) {
  const own = wordsOf(text);
  return wordsOf(words).every((word) => own.some((one) => one.startsWith(word)));
}

/**
 * Keeps what has all words in its name or its hint.
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
