// Ranking of commands for a search text.

/** @typedef {import('../ui/commands.js').Command} Command */

/**
 * Returns the matching commands, best first, or all commands in order for an empty text. Every word must
 * occur in a command's name or its other words.
 * @param {Command[]} commands
 * @param {string} typed
 * @param {number} most
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
 * @returns {number} 0 if a word is missing
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
 * @returns {number} 3 for a word, 2 for a prefix, 1 for a substring
 */
function found(text, word) {
  if (` ${text} `.includes(` ${word} `)) return 3;
  if (` ${text}`.includes(` ${word}`)) return 2;
  return word.length > 1 && text.includes(word) ? 1 : 0;
}

/**
 * Matches initials, such as `ep` for `event planner`.
 * @param {string} text
 * @param {string} word
 */
function initials(text, word) {
  const first = text.split(' ').map((part) => part.charAt(0)).join('');
  return word.length > 1 && first.startsWith(word) ? 1 : 0;
}

/**
 * Normalizes case, accents and punctuation.
 * @param {string} text
 */
function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
