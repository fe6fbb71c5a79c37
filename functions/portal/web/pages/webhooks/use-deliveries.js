// Loads the deliveries of a webhook page by page, and reloads them while one is waiting for its first
// attempt.

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Schema<'WebhookDelivery'>} Delivery */

/** The page size, and the maximum that the API accepts. */
const PAGE = 25;
const MOST = 100;
/** The time between calls while a delivery is waiting for its first attempt, in milliseconds. */
const EVERY = 2000;
/** The maximum number of calls while a delivery is waiting for its first attempt. */
const MOST_LOOKS = 5;

/**
 * A call to make, for the deliveries before an ID or for the newest ones. `looks` is the number of
 * consecutive calls that were made because a delivery was waiting.
 * @typedef {{before?: string, looks: number}} Wanted
 */

/**
 * @typedef {object} Listed
 * @property {Delivery[] | null} list newest first; null until the first page is loaded
 * @property {boolean} hasOlder
 * @property {boolean} isLoading
 * @property {Error | null} error
 * @property {() => void} older loads the next page
 * @property {() => void} reload loads the newest deliveries again, as many as are listed
 */

/**
 * Loads the newest deliveries once `isWanted` is true, and older ones on request.
 * @param {string} id the webhook's ID
 * @param {boolean} isWanted
 * @returns {Listed}
 */
export function useDeliveries(id, isWanted) {
  const [list, setList] = useState(/** @type {Delivery[] | null} */ (null));
  const [hasOlder, setHasOlder] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [wanted, setWanted] = useState(/** @type {Wanted} */ ({ looks: 0 }));
  const length = useRef(0);
  length.current = list?.length ?? 0;
  useEffect(() => {
    if (!isWanted) return;
    const { before, looks } = wanted;
    const controller = new AbortController();
    const { signal } = controller;
    const limit = before ? PAGE : Math.min(MOST, Math.max(PAGE, length.current));
    const read = async () => {
      const query = { limit, before };
      const { body } = await call('list_webhook_deliveries', { path: { webhook_id: id }, query, signal });
      setList((listed) => (before ? [...(listed ?? []), ...body.data] : body.data));
      setHasOlder(body.data.length === limit);
      if (looks < MOST_LOOKS && body.data.some(isWaiting)) {
        setTimeout(() => signal.aborted || setWanted({ looks: looks + 1 }), EVERY);
      }
    };
    setIsLoading(true);
    setError(null);
    read().catch((failed) => signal.aborted || setError(failed))
      .finally(() => signal.aborted || setIsLoading(false));
    return () => controller.abort();
  }, [id, isWanted, wanted]);
  const older = () => setWanted({ before: list?.at(-1)?.delivery_id, looks: 0 });
  return { list, hasOlder, isLoading, error, older, reload: () => setWanted({ looks: 0 }) };
}

/** @param {Delivery} delivery */
function isWaiting({ state, attempts, last_status: status, last_error: failure }) {
  // An attempt counts as soon as it begins.
  return state === 'pending' && (attempts === 0 || (status === null && failure === null));
}
