// Which commands a few typed letters mean.

/** @typedef {import('../ui/commands.js').Command} Command */

/**
 * Returns the commands that fit what was typed, the best first; all of them, in their order, for nothing.
 * Every typed word must be found in the name, or in the other words of a command.
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
 * @returns {number} 0 when a word is not found
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
  // Of names that fit alike, the shorter one is the one that was meant.
  return sum - own.length / 1000;
}

/**
 * @param {string} text
 * @param {string} word
 * @returns {number} 3 for a whole word, 2 for the start of one, 1 within one
 */
function found(text, word) {
  if (` ${text} `.includes(` ${word} `)) return 3;
  if (` ${text}`.includes(` ${word}`)) return 2;
  return word.length > 1 && text.includes(word) ? 1 : 0;
}

/**
 * Finds `ep` in `event planner`.
 * @param {string} text
 * @param {string} word
 */
function initials(text, word) {
  const first = text.split(' ').map((part) => part.charAt(0)).join('');
  return word.length > 1 && first.startsWith(word) ? 1 : 0;
}

/**
 * Takes case, accents and marks off a text.
 * @param {string} text
 */
function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
