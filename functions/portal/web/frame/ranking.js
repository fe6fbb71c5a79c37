// Ranks commands for a search.

/** @typedef {import('../ui/commands.js').Command} Command */

/**
 * Returns the matching commands, best first. Every typed word must occur in a command's name, search words,
 * or hint. If nothing is typed, returns the first commands in their given order.
 * @param {Command[]} commands
 * @param {string} typed
 * @param {number} most the maximum number of commands to return
 * @returns {Command[]}
 */
export function ranked(commands, typed, most) {
  const wanted = folded(typed).split(' ').filter(Boolean);
  if (wanted.length === 0) return commands.slice(0, most);
  return commands
    .map((command, order) => ({ command, order, score: scoreOf(command, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.order - other.order)
    .slice(0, most)
    .map(({ command }) => command);
}

/**
 * @param {Command} command
 * @param {string[]} wanted
 * @returns {number} 0 if a word doesn't match
 */
function scoreOf({ name, words = '', hint }, wanted) {
  const own = folded(name);
  const others = folded(`${words} ${hint}`);
  let sum = own === wanted.join(' ') ? 100 : own.startsWith(wanted.join(' ')) ? 50 : 0;
  for (const word of wanted) {
    const score = Math.max(found(own, word) * 4, found(others, word) * 3, initials(own, word) * 8);
    if (score === 0) return 0;
    sum += score;
  }
  // With equal scores, prefer the shorter name.
  return sum - own.length / 1000;
}

/**
 * @param {string} text
 * @param {string} word
 * @returns {number} 3 for an entire word of the text, 2 for a prefix, 1 for a substring, 0 for no match
 */
function found(text, word) {
  if (` ${text} `.includes(` ${word} `)) return 3;
  if (` ${text}`.includes(` ${word}`)) return 2;
  return word.length > 1 && text.includes(word) ? 1 : 0;
}

/**
 * Returns 1 if a word matches the text's initials, such as `ep` for `event planner`, and 0 otherwise.
 * @param {string} text
 * @param {string} word
 */
function initials(text, word) {
  const first = text.split(' ').map((part) => part.charAt(0)).join('');
  return word.length > 1 && first.startsWith(word) ? 1 : 0;
}

/**
 * Converts a text to lowercase, removes accents, and replaces punctuation with spaces.
 * @param {string} text
 */
function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
