import { useEffect, useRef } from 'react';

/** Focuses an element, which also scrolls to it, when the condition becomes true. */
export function useFocusWhen<T extends HTMLElement>(hasHappened: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (hasHappened) ref.current?.focus();
  }, [hasHappened]);
  return ref;
}
