import { useLayoutEffect, useRef } from 'react';

/** Opens a dialog as soon as it is there: the browser holds the focus in it, and gives it back when the dialog goes. */
export function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
