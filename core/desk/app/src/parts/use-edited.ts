import { useState } from 'react';
import { changedMembers } from '../form/changed-members.ts';
import { useUnsaved } from '../frame/unsaved.ts';

type Members = Readonly<Record<string, unknown>>;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What is typed over something that was read. While nothing is typed it follows what is read anew; from then on it keeps to
 * what it began with, so that the host can tell whether somebody came between.
 * @param stored what is read, and its ETag
 */
export function useEdited<T extends object>(stored: { readonly value: T; readonly tag: string | undefined }) {
  const [base, setBase] = useState(stored);
  const [typed, setTyped] = useState<T>();
  const value = typed ?? base.value;
  // Both have the same members: none is gone.
  const changes = changedMembers(base.value as Members, value as Members) as Partial<T>;
  const isChanged = Object.keys(changes).length > 0;
  // Another tag alone is of a change of what the form does not show.
  if (isSame(stored.value, base.value) ? stored.tag !== base.tag : !isChanged) {
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
