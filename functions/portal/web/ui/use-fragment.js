// Addresses that open something within a page, such as `keys#mint`.

import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/**
 * Does something whenever the page is opened under a fragment, and takes that off the address.
 * @param {string} name
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
