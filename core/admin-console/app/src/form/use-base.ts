import { useCallback, useState } from 'react';

type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};

/**
 * The base version of a form. While the user has unsaved input, the form uses the version that it started from. Without
 * input, it follows the stored value that the page loads.
 *
 * @param tag the ETag of the stored value
 * @returns `tag` is the ETag of the base version, and `changes` the last argument of `setChanges`. A new `formKey`, the
 * React key of the form, resets the form. `discard` discards the input
 */
export function useBase<T>(stored: T, tag: string | undefined) {
  const [base, setBase] = useState({ value: stored, tag });
  const [formKey, setFormKey] = useState(0);
  const [changes, setChanges] = useState<Members>(NONE);
  const isChanged = Object.keys(changes).length > 0;
  const isSame = stored === base.value;
  // A tag may cover more than the form shows: enabling a provider does not change its configuration.
  if (isSame ? tag !== base.tag : !isChanged) setBase({ value: stored, tag });
  if (!isSame && !isChanged) setFormKey(formKey + 1);
  const discard = useCallback(() => {
    setChanges(NONE);
    setFormKey((before) => before + 1);
  }, []);
  return { base: base.value, tag: base.tag, round: formKey, renew: discard, changes, isChanged, setChanges };
}
