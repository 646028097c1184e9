import { useLayoutEffect, useRef } from 'react';

/** Opens a dialog when it is mounted. The browser holds the focus in it, and restores the focus when it closes. */
export function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
