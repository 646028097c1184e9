import { useEffect, useRef } from 'react';

/** Gives what it is put on the focus, and has it scrolled to, as soon as something happened there. */
export function useFocusWhen<T extends HTMLElement>(hasHappened: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (hasHappened) ref.current?.focus();
  }, [hasHappened]);
  return ref;
}
