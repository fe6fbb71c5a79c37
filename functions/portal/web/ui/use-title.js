// The title of a window whose page's name is not known from its address alone.

import { useEffect } from 'preact/hooks';

/**
 * Names the window.
 * @param {string | null} title null before it is known
 */
export function useTitle(title) {
  useEffect(() => {
    if (title) document.title = `${title} – Marquee`;
  }, [title]);
}
