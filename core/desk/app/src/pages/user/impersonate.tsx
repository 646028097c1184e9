import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { impersonate } from '../../api/users.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { session } from '../../session/session.ts';
import type { OfUser } from './user-page.tsx';

/** Signs this browser in as the user. In the realm of the desk's own session that one ends. */
export function Impersonate({ realm, user }: OfUser) {
  const { user: texts } = useMessages();
  const [isAsked, setAsked] = useState(false);
  const start = useMutation({ mutationFn: () => impersonate(realm, user.id), onSuccess: () => setAsked(false) });
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        {texts.impersonate}
      </button>
      <span role="status" className="done">
        {start.isSuccess && (
          <>
            {texts.impersonated(user.username)}{' '}
            <a href={start.data} target="_blank" rel="noreferrer">
              {texts.openAccount}
            </a>
          </>
        )}
      </span>
      {isAsked && (
        <ConfirmDialog
          title={texts.impersonateAs(user.username)}
          confirm={texts.impersonate}
          isBusy={start.isPending}
          failure={start.error}
          onConfirm={() => start.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{texts.impersonateLead(realm)}</p>
          {realm === session.realm && <p>{texts.impersonateOwn}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
