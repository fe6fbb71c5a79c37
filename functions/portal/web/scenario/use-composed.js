// Composed cohorts, such as Hispanic adults aged 25 to 54, for words that no single cohort has.

import { useEffect, useState } from 'preact/hooks';
import { composedCohorts } from './cohorts.js';

/** The time without typing after which the words are searched, in milliseconds. */
const PAUSE = 400;

/**
 * Returns the composed cohorts for some words. Each search is a free call.
 * @param {string} words
 * @param {boolean} isWanted whether no single cohort has the words
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
