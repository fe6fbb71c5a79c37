// How wide a chart may be: it is drawn in real pixels, so that its words keep their size.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Follows an element's width.
 * @returns {{place: import('preact').RefObject<HTMLDivElement | null>, width: number}} 0 before it is known
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
