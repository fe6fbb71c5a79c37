// The width of a chart. Charts are drawn in pixels so that their text isn't scaled.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Observes the width, in pixels, of the element that gets the ref `place`.
 * @returns {{place: import('preact').RefObject<HTMLDivElement | null>, width: number}} `width` is 0
 *   until it has been measured
 */
export function useWidth() {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = /** @type {HTMLDivElement} */ (place.current);
    const measure = () => setWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { place, width };
}
