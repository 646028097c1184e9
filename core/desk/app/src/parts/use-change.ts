import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * The changes of one part of a page: each says what it does and what to say once it is done. What was read under
 * `refreshes` is read again after each, also after one that failed.
 */
export function useChange(refreshes: QueryKey) {
  const client = useQueryClient();
  const [done, setDone] = useState<string>();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ change }: { change: () => Promise<unknown>; done: string; after?: (() => void) | undefined }) =>
      change(),
    onMutate: () => setDone(undefined),
    onSuccess: (_, { done: text, after }) => {
      setDone(text);
      after?.();
    },
    onSettled: () => client.invalidateQueries({ queryKey: refreshes }),
  });
  return {
    run: (change: () => Promise<unknown>, text: string, after?: () => void) => mutate({ change, done: text, after }),
    isBusy: isPending,
    done,
    /** That something is done which was done elsewhere, such as in a dialog that is gone. */
    say: setDone,
    failure: error,
    reset,
  };
}
