import { useEffect, useRef } from 'react';

/**
 * Focuses the first invalid field.
 * @param occasion a new value for each rejected submit; undefined if there was none
 */
export function useFocusFirstInvalid(occasion: string | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (occasion !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [occasion]);
  return form;
}
