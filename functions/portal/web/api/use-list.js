// Free lists that don't change while the portal is open, such as the place types. Each is loaded only once.

import { useEffect, useState } from 'preact/hooks';
import { call } from './client.js';

/**
 * The items of each list.
 * @typedef {object} Lists
 * @property {import('./types').Schema<'PlaceType'>[]} list_place_types
 * @property {import('./types').Schema<'PlaceBrand'>[]} list_place_brands
 */

/**
 * The lists that are loaded or being loaded.
 * @type {Map<keyof Lists, Promise<any>>}
 */
const lists = new Map();

/**
 * Returns the items of a list. They are empty until the list is loaded, so forms work without them.
 * @template {keyof Lists} Id
 * @param {Id} id
 * @param {boolean} [isWanted] whether to load the list
 * @returns {{items: Lists[Id], error: Error | null, retry: () => void}}
 */
export function useList(id, isWanted = true) {
  const [items, setItems] = useState(/** @type {any} */ ([]));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const load = () => {
    setError(null);
    const reading = lists.get(id) ?? call(id).then(({ body }) => /** @type {any} */ (body).data);
    lists.set(id, reading);
    reading.then(setItems, (refused) => {
      lists.delete(id);
      setError(refused);
    });
  };
  useEffect(() => {
    if (isWanted) load();
  }, [id, isWanted]);
  return { items, error, retry: load };
}
