// Window titles that depend on loaded content.

import { useEffect } from 'preact/hooks';

/**
 * Sets the window's title.
 * @param {string | null} title null before it's known
 */
export function useTitle(title) {
  useEffect(() => {
    if (title) document.title = `${title} – Marquee`;
  }, [title]);
}
