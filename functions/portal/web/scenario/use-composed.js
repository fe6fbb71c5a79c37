// Finds composed cohorts, such as Hispanic adults aged 25 to 54, for words that no single cohort matches.

import { useEffect, useState } from 'preact/hooks';
import { composedCohorts } from './cohorts.js';

/** How long the person must stop typing before the search starts, in milliseconds. */
const PAUSE = 400;

/**
 * Returns the composed cohorts that match all words. Each search is a free call.
 * @param {string} words
 * @param {boolean} isWanted whether to search, because no single cohort matches the words
 * @returns {import('./cohorts.js').Cohort[]}
 */
export function useComposed(words, isWanted) {
  const [found, setFound] = useState(/** @type {import('./cohorts.js').Cohort[]} */ ([]));
  useEffect(() => {
    setFound([]);
    if (!isWanted || words.trim() === '') return undefined;
    let isLeft = false;
    const search = () => composedCohorts(words).then((cohorts) => isLeft || setFound(cohorts), () => {});
    const timer = setTimeout(search, PAUSE);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [words, isWanted]);
  return found;
}
