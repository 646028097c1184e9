import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure.ts';
import { useEdited } from './use-edited.ts';

/** A form for a stored value: the state of {@link useSaving}, which `EditedForm` shows. */
export type Saving<T extends object> = ReturnType<typeof useSaving<T>>;

/**
 * Input over a stored value, and its saving. If another editor saved first, the input is preserved.
 * @param stored the loaded value and its ETag: the same object until it is loaded again
 * @param refreshes the data to read again after each attempt
 * @param save sends the changed members; `ifMatch` is the ETag that they are based on
 */
export function useSaving<T extends object>({
  stored,
  refreshes,
  save,
}: {
  stored: { readonly value: T; readonly tag: string | undefined };
  refreshes: QueryKey;
  save: (changes: Partial<T>, ifMatch: string | undefined, value: T) => Promise<unknown>;
}) {
  const client = useQueryClient();
  const { base, value, changes, isChanged, set, discard } = useEdited<T>(stored);
  const readAgain = () => client.invalidateQueries({ queryKey: refreshes });
  const saved = useMutation({
    mutationFn: (ifMatch: string | undefined) => save(changes, ifMatch, value),
    onSuccess: async () => {
      await readAgain();
      discard();
    },
    onError: readAgain,
  });
  const { error } = saved;
  return {
    base: base.value,
    stored: stored.value,
    value,
    changes,
    isChanged,
    set,
    /** The reason why saving failed, except for a conflict with another editor. */
    failure: error instanceof ApiFailure && error.kind === 'changed' ? null : error,
    /** Set if another editor saved first. */
    conflict: error instanceof ApiFailure && error.kind === 'changed' ? error : undefined,
    isBusy: saved.isPending,
    isDone: saved.isSuccess && !isChanged,
    submit: () => saved.mutate(base.tag),
    overwrite: () => error instanceof ApiFailure && saved.mutate(error.tag),
    discard: () => {
      saved.reset();
      discard();
    },
  };
}
