import { useCallback, useState } from 'react';

/**
 * What a form began with. The page goes on to read what is stored; while something is typed the form keeps to what it
 * began with, and begins anew with what is stored when nothing is.
 * @returns `round`: the `key` of the form; `renew` gives up what was typed
 */
export function useBase<T>(stored: T) {
  const [base, setBase] = useState(stored);
  const [round, setRound] = useState(0);
  const [isChanged, setChanged] = useState(false);
  if (!isChanged && stored !== base) {
    setBase(stored);
    setRound(round + 1);
  }
  const renew = useCallback(() => {
    setChanged(false);
    setRound((before) => before + 1);
  }, []);
  return { base, round, renew, isChanged, setChanged };
}
