import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Confirm } from './confirm.tsx';
import { FailureNotice } from './failure-notice.tsx';

/**
 * Deletes the object of a page after confirmation, and opens the list.
 * @param props.list the address of the list
 * @param props.keys the query keys of the object, and of the lists that contained it
 * @param props.onRemove deletes the shown version: if it has changed, the user sees the new one first
 */
export function RemoveButton(props: {
  name: string;
  texts: { readonly remove: string; readonly removeOf: (name: string) => string; readonly removeLead: string };
  list: string;
  keys: { readonly one: QueryKey; readonly lists: QueryKey };
  onRemove: () => Promise<void>;
}) {
  const { name, texts, list, keys, onRemove } = props;
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: () => {
      navigate(list);
      client.removeQueries({ queryKey: keys.one });
      return client.invalidateQueries({ queryKey: keys.lists });
    },
    onError: () => client.invalidateQueries({ queryKey: keys.one }),
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => setConfirming(true)}>
        {texts.remove}
      </button>
      {isConfirming && (
        <Confirm
          title={texts.removeOf(name)}
          action={texts.remove}
          isDangerous
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            setConfirming(false);
            remove.reset();
          }}
        >
          {remove.error !== null && <FailureNotice failure={remove.error} />}
          <p>{texts.removeLead}</p>
        </Confirm>
      )}
    </>
  );
}
