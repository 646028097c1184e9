import { useCallback, useState } from 'react';

type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};

/**
 * What a form began with. The page goes on to read what is stored; while something is typed the form keeps to what it
 * began with, and begins anew with what is stored when nothing is.
 * @param tag of what is stored
 * @returns `tag`: of what the form began with; `round`: the `key` of the form; `changes`: what `setChanges` was told; `renew` gives up what was typed
 */
export function useBase<T>(stored: T, tag: string | undefined) {
  const [base, setBase] = useState({ value: stored, tag });
  const [round, setRound] = useState(0);
  const [changes, setChanges] = useState<Members>(NONE);
  const isChanged = Object.keys(changes).length > 0;
  const isSame = stored === base.value;
  // A tag may cover more than the form shows: who switches a provider on has not changed its configuration.
  if (isSame ? tag !== base.tag : !isChanged) setBase({ value: stored, tag });
  if (!isSame && !isChanged) setRound(round + 1);
  const renew = useCallback(() => {
    setChanges(NONE);
    setRound((before) => before + 1);
  }, []);
  return { base: base.value, tag: base.tag, round, renew, changes, isChanged, setChanges };
}
