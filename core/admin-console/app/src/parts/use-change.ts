import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Runs the changes of one part of a page, each with its success message. Data under `refreshes` is read again after
 * each change, even after a failed one.
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
    /** Shows a success message for a change that was made elsewhere, such as in a closed dialog. */
    showMessage: setDone,
    failure: error,
    reset,
  };
}
