import { useEffect } from 'react';
import { useMessages } from '../messages/language.tsx';

let unsaved = 0;

/** True while a form of the page has unsaved input. */
export const hasUnsaved = () => unsaved > 0;

/**
 * Asks users before they leave unsaved input. The browser asks before the page is unloaded, this hook before the
 * browser goes back within the admin console, and its own links by `hasUnsaved`.
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
    // Some browsers do not support it yet.
    window.navigation?.addEventListener('navigate', ask);
    return () => {
      unsaved -= 1;
      removeEventListener('beforeunload', hold);
      window.navigation?.removeEventListener('navigate', ask);
    };
  }, [isUnsaved, leave]);
}
