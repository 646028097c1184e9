import { useEffect, useRef } from 'react';

/** Leads to the first field that is wrong. @param occasion another one each time that a form is not taken; undefined: it was not sent */
export function useFocusOnWrong(occasion: string | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (occasion !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [occasion]);
  return form;
}
