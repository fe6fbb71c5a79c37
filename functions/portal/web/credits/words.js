// When the credits run out, and how that is known, in a sentence each.

import { count, date, number } from '../ui/format.js';
import { kindName } from './names.js';

/**
 * Names the day on which the credits run out at this pace.
 * @param {import('./pace.js').Projection} projection
 */
export function runsOutWord({ runsOut, points }) {
  if (points[0]?.value === 0) return 'Now';
  return runsOut ? date(runsOut) : 'Not within a year';
}

/**
 * Says how the pace is taken.
 * @param {import('./pace.js').Pace} pace
 */
export function paceSentence({ perDay, days }) {
  if (perDay === 0) return 'No credits were used in the last 14 days.';
  const rounded = perDay < 10 ? Number(perDay.toFixed(1)) : Math.round(perDay);
  const per = `At ${count(rounded, 'credit')} a day`;
  if (days === 1) return `${per}, which is what you have used today.`;
  return `${per}, the mean of the last ${number(days)} days.`;
}

/**
 * Says what expires unused at this pace.
 * @param {import('./pace.js').Projection} projection
 * @returns {string[]}
 */
export function lossSentences({ lost }) {
  return lost.map(({ kind, credits, on }) => {
    const what = count(credits, `${kindName(kind).toLowerCase()} credit`);
    return `${what} will expire unused on ${date(on)} at this pace.`;
  });
}
