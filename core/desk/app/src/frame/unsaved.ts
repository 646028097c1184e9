import { useEffect } from 'react';

let unsaved = 0;

/** True while a form of the page holds what nobody has saved. */
export const hasUnsaved = () => unsaved > 0;

/** Has the browser ask before the page goes away with what was typed; the desk's own links ask by `hasUnsaved`. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved += 1;
    addEventListener('beforeunload', hold);
    return () => {
      unsaved -= 1;
      removeEventListener('beforeunload', hold);
    };
  }, [isUnsaved]);
}
