import { useState } from 'react';
import { changedMembers } from '../form/changed-members.ts';
import { useUnsaved } from '../frame/unsaved.ts';

type Members = Readonly<Record<string, unknown>>;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Input over a stored value. Without input it follows the value that is loaded. With input it holds the version that it
 * began with, so that the host can detect changes by others.
 * @param stored the loaded value, and its ETag
 */
export function useEdited<T extends object>(stored: { readonly value: T; readonly tag: string | undefined }) {
  const [base, setBase] = useState(stored);
  const [typed, setTyped] = useState<T>();
  const value = typed ?? base.value;
  // Both have the same members, so none was removed.
  const changes = changedMembers(base.value as Members, value as Members) as Partial<T>;
  const isChanged = Object.keys(changes).length > 0;
  // A new tag with an equal value means that only members outside the form changed.
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
    /** Discards the input in favour of the stored value. */
    discard: () => setTyped(undefined),
  };
}
