import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { removeUser, userKey } from '../../api/users.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import type { OfUser } from './user-page.tsx';

/** Removes the user that was seen: who was changed since then is looked at first. */
export function RemoveUser({ realm, user, etag }: OfUser) {
  const { user: texts } = useMessages();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeUser(realm, user.id, etag),
    onSuccess: () => {
      navigate(`/realms/${segment(realm)}/users`);
      client.removeQueries({ queryKey: userKey(realm, user.id) });
      return client.invalidateQueries({ queryKey: ['realm', realm, 'users', 'list'] });
    },
    onError: () => client.invalidateQueries({ queryKey: userKey(realm, user.id) }),
  });
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        {texts.remove}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={texts.removeOf(user.username)}
          confirm={texts.remove}
          isDangerous
          isBusy={remove.isPending}
          failure={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            setAsked(false);
            remove.reset();
          }}
        >
          <p>{texts.removeLead}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
