import { useState } from 'react';
import { useUnsaved } from '../frame/unsaved.ts';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The members of `now` that say something else than `before`. */
export function changedMembers<T extends object>(before: T, now: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], now[name])).map((name) => [name, now[name]]),
  ) as unknown as Partial<T>;
}

/**
 * What is typed over something that was read. While nothing is typed it follows what is read anew; from then on it keeps to
 * what it began with, so that the host can tell whether somebody came between.
 * @param stored what is read, and its ETag
 */
export function useEdited<T extends object>(stored: { readonly value: T; readonly etag: string | undefined }) {
  const [base, setBase] = useState(stored);
  const [typed, setTyped] = useState<T>();
  const value = typed ?? base.value;
  const changes = changedMembers(base.value, value);
  const isChanged = Object.keys(changes).length > 0;
  // Another tag alone is of a change of what the form does not show.
  if (isSame(stored.value, base.value) ? stored.etag !== base.etag : !isChanged) {
    setBase(stored);
    if (!isChanged) setTyped(undefined);
  }
  useUnsaved(isChanged);
  return {
    base,
    value,
    changes,
    isChanged,
    set: (change: Partial<T>) => setTyped({ ...value, ...change }),
    /** Gives up what was typed, for what is stored. */
    forget: () => setTyped(undefined),
  };
}
