import { type RefObject, useEffect, useRef } from 'react';
import { useSearch } from 'wouter';

/** Focuses the field that the address names, as in `?setting=sslRequired`. @returns the `ref` of a setting's element */
export function useSettingOfAddress(): (name: string) => RefObject<HTMLDivElement | null> | undefined {
  const named = new URLSearchParams(useSearch()).get('setting');
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (named === null) return;
    // After the page, which focuses its heading.
    const frame = requestAnimationFrame(() => {
      element.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
      element.current?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, [named]);
  return (name) => (name === named ? element : undefined);
}
