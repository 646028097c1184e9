import { useEffect, useRef } from 'react';

/** Focuses an element, and scrolls to it, as soon as something happened there. */
export function useFocusWhen<T extends HTMLElement>(hasHappened: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (hasHappened) ref.current?.focus();
  }, [hasHappened]);
  return ref;
}
