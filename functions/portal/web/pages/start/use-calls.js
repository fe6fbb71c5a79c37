// Polls for a program's first call. The interval is long, because all pages share the account API limit.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Schema<'UsageRow'>} UsageRow */

/** The polling interval, in milliseconds. */
const EVERY = 5000;
/** How long to poll, in milliseconds. */
const PATIENCE = 5 * 60 * 1000;
/** The products to ignore, because the portal's own pages also use them. */
const OF_PAGES = ['billing_credits', 'tile_grants'];

/**
 * Polls the usage of the last 30 days until it contains a call.
 * @returns {{rows: UsageRow[] | null, error: Error | null, isOver: boolean, again: () => void}} `isOver`
 *   means that polling has timed out; `again` restarts polling
 */
export function useCalls() {
  const [rows, setRows] = useState(/** @type {UsageRow[] | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isOver, setIsOver] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const until = Date.now() + PATIENCE;
    setIsOver(false);
    setError(null);
    const look = async () => {
      if (controller.signal.aborted) return;
      if (Date.now() > until) return setIsOver(true);
      if (document.visibilityState === 'visible') {
        const found = await calls(controller.signal);
        setRows(found);
        if (found.length > 0) return;
      }
      setTimeout(lookOrFail, EVERY);
    };
    const lookOrFail = () => look().catch((failed) => controller.signal.aborted || setError(failed));
    lookOrFail();
    return () => controller.abort();
  }, [turn]);
  return { rows, error, isOver, again: () => setTurn(turn + 1) };
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<UsageRow[]>}
 */
async function calls(signal) {
  const { body } = await call('read_usage', { signal });
  return body.data.filter(({ calls: made, meter: name }) => made > 0 && !OF_PAGES.includes(name));
}
