// Addresses that open a specific part of a page, such as `keys#create`.

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/**
 * When the address has a certain fragment, runs a function and removes the fragment from the address.
 * @param {string} name the fragment, without `#`
 * @param {() => void} run
 */
export function useFragment(name, run) {
  const { url, path, route } = useLocation();
  useEffect(() => {
    if (location.hash !== `#${name}`) return;
    route(path, true);
    run();
  }, [url]);
}
