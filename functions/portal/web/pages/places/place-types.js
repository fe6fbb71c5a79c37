// The types of places, which forms offer: read once while the portal is open.

import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/client.js';

/** @typedef {import('../../api/types').Schema<'PlaceType'>} PlaceType */

/** @type {Promise<PlaceType[]> | null} */
let reading = null;

/**
 * Returns the types by name; none before they are there, and none where they cannot be read: the form works
 * without them.
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
