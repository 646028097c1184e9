import { useLayoutEffect, useRef, useState } from 'react';
import type { LocatedError } from '../api/failure.ts';
import { useMessages } from '../messages/language.tsx';
import { errorsWithoutField, ROOT } from './located-errors.ts';

/** The number of mistakes, and the mistakes that belong to no field. */
export function ErrorCount({ count, others }: { count: number; others: readonly LocatedError[] }) {
  const { form } = useMessages();
  return (
    <div className="notice notice-bad" role="alert" tabIndex={-1}>
      <p>{form.errors(count)}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ pointer, message }) => (
            <li key={pointer + message}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Focuses the list of mistakes that belong to no field, or the first field with a mistake.
 * @param root the prefix of the IDs of the form's fields
 * @returns `box` is the ref of an element around the form
 */
export function useErrorFocus(errors: readonly LocatedError[], root = ROOT) {
  const box = useRef<HTMLDivElement>(null);
  const [others, setOthers] = useState<readonly LocatedError[]>([]);
  useLayoutEffect(() => {
    if (box.current === null || errors.length === 0) return;
    const found = errorsWithoutField(errors, box.current, root);
    setOthers(found);
    box.current.querySelector<HTMLElement>(found.length > 0 ? '.notice' : '[aria-invalid="true"]')?.focus();
  }, [errors, root]);
  return { box, others };
}
