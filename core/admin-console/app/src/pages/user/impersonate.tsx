import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { impersonate } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { session } from '../../session/session.ts';
import { texts as userTexts } from './texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** Signs this browser in as the user. If it is the realm of the admin console's own session, that session ends. */
export function Impersonate({ realm, user }: UserSectionProps) {
  const texts = useTexts(userTexts);
  const [isConfirming, setConfirming] = useState(false);
  const start = useMutation({ mutationFn: () => impersonate(realm, user.id), onSuccess: () => setConfirming(false) });
  return (
    <>
      <button type="button" onClick={() => setConfirming(true)}>
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
      {isConfirming && (
        <Confirm
          title={texts.impersonateAs(user.username)}
          action={texts.impersonate}
          isBusy={start.isPending}
          onConfirm={() => start.mutate()}
          onClose={() => setConfirming(false)}
        >
          {start.error !== null && <FailureNotice failure={start.error} />}
          <p>{texts.impersonateLead(realm)}</p>
          {realm === session.realm && <p>{texts.impersonateOwn}</p>}
        </Confirm>
      )}
    </>
  );
}
