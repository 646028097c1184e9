import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure.ts';
import { useEdited } from './use-edited.ts';

/** A form over something stored, as {@link useSaving} keeps it and `EditedForm` shows it. */
export type Saving<T extends object> = ReturnType<typeof useSaving<T>>;

/**
 * What is typed over something stored, and its saving. A save that another editor has overtaken keeps what was typed.
 * @param stored what is read and its ETag: the same object until it is read anew
 * @param refreshes what is read again after each attempt
 * @param save sends the changed members; `ifMatch` is the ETag that they were made from
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
  const { base, value, changes, isChanged, set, forget } = useEdited<T>(stored);
  const readAgain = () => client.invalidateQueries({ queryKey: refreshes });
  const saved = useMutation({
    mutationFn: (ifMatch: string | undefined) => save(changes, ifMatch, value),
    onSuccess: async () => {
      await readAgain();
      forget();
    },
    onError: readAgain,
  });
  const { error } = saved;
  return {
    ...{ base: base.value, stored: stored.value, value, changes, isChanged, set },
    /** Why nothing was saved, unless another editor came first. */
    failure: error instanceof ApiFailure && error.kind === 'changed' ? null : error,
    /** Another editor came first. */
    overtaken: error instanceof ApiFailure && error.kind === 'changed' ? error : undefined,
    isBusy: saved.isPending,
    isDone: saved.isSuccess && !isChanged,
    submit: () => saved.mutate(base.tag),
    overwrite: () => error instanceof ApiFailure && saved.mutate(error.tag),
    discard: () => {
      saved.reset();
      forget();
    },
  };
}
