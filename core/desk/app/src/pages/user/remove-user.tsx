import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { segment } from '../../address.ts';
import { removeUser, userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts as userTexts } from './texts.ts';
import type { OfUser } from './user-page.tsx';

/** Removes the user that was seen: who was changed since then is looked at first. */
export function RemoveUser({ realm, user, tag }: OfUser) {
  const texts = useTexts(userTexts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeUser(realm, user.id, tag),
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
        <Confirm
          title={texts.removeOf(user.username)}
          action={texts.remove}
          isDangerous
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            setAsked(false);
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
