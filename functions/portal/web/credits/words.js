// Sentences about the use of credits and the projected balance.

import { count, date, number } from '../ui/format.js';
import { kindName } from './names.js';

/**
 * Returns the date on which the credits run out, `Now` if no credits are left, or `Not within a year`.
 * @param {import('./pace.js').Projection} projection
 */
export function runsOutWord({ runsOut, points }) {
  if (points[0]?.value === 0) return 'Now';
  return runsOut ? date(runsOut) : 'Not within a year';
}

/**
 * Describes the average daily use of credits.
 * @param {import('./pace.js').Pace} pace
 */
export function paceSentence({ perDay, days }) {
  if (perDay === 0) return 'No credits were used in the last 14 days.';
  const rounded = perDay < 10 ? Number(perDay.toFixed(1)) : Math.round(perDay);
  const per = `At ${count(rounded, 'credit')} a day`;
  if (days === 1) return `${per}, based on today’s usage.`;
  return `${per}, the average of the last ${number(days)} days.`;
}

/**
 * Describes the credits that will expire unused, with one sentence per grant.
 * @param {import('./pace.js').Projection} projection
 * @returns {string[]}
 */
export function lossSentences({ lost }) {
  return lost.map(({ kind, credits, on }) => {
    const what = count(credits, `${kindName(kind).toLowerCase()} credit`);
    return `At this rate, ${what} will expire unused on ${date(on)}.`;
  });
}
