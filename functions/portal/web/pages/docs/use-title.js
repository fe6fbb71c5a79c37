// The title of a window whose page's name is not known from its address alone.

import { useEffect } from 'preact/hooks';

/**
 * Names the window.
 * @param {string} title
 */
export function useTitle(title) {
  useEffect(() => {
    document.title = `${title} – Marquee`;
  }, [title]);
}
