// The list of place types, which is loaded only once.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Schema<'PlaceType'>} PlaceType */

/** @type {Promise<PlaceType[]> | null} */
let reading = null;

/**
 * Returns the place types, sorted by name. The list is empty until it's loaded. The form works without it.
 * @returns {{types: PlaceType[], error: Error | null, retry: () => void}}
 */
export function usePlaceTypes() {
  const [types, setTypes] = useState(/** @type {PlaceType[]} */ ([]));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const load = () => {
    setError(null);
    reading ??= call('list_place_types').then(({ body }) => body.data);
    reading.then(setTypes, (refused) => {
      reading = null;
      setError(refused);
    });
  };
  useEffect(load, []);
  return { types, error, retry: load };
}
