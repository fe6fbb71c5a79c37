// Window titles that depend on loaded content.

import { useEffect } from 'preact/hooks';

/**
 * Sets the window's title, followed by the product's name.
 * @param {string | null} title null to keep the current title
 */
export function useTitle(title) {
  useEffect(() => {
    if (title) document.title = `${title} – Marquee`;
  }, [title]);
}
