import { useEffect } from 'react';
import { useMessages } from '../messages/language.tsx';

let unsaved = 0;

/** True while a form of the page holds what nobody has saved. */
export const hasUnsaved = () => unsaved > 0;

/**
 * Has whoever leaves what they typed asked first: the browser asks before the page goes away, this does before the browser
 * goes back within the desk, and the desk's own links do by `hasUnsaved`.
 */
export function useUnsaved(isUnsaved: boolean): void {
  const { leave } = useMessages().form;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    const ask = (event: NavigateEvent) => {
      const isBack = event.navigationType === 'traverse' && event.destination.sameDocument;
      if (isBack && event.cancelable && !window.confirm(leave)) event.preventDefault();
    };
    unsaved += 1;
    addEventListener('beforeunload', hold);
    // Not every browser has it yet.
    window.navigation?.addEventListener('navigate', ask);
    return () => {
      unsaved -= 1;
      removeEventListener('beforeunload', hold);
      window.navigation?.removeEventListener('navigate', ask);
    };
  }, [isUnsaved, leave]);
}
