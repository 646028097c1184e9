import { useState } from 'react';
import { sessionsKey, signOutAll } from '../../api/sessions.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useChange } from '../../parts/use-change.ts';
import { session } from '../../session/session.ts';

/** Signs everybody in the realm out, who does it too where they are signed in to it. */
export function SignOutAll({ realm, onDone }: { realm: string; onDone: () => void }) {
  const { sessions } = useMessages();
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, failure, reset } = useChange(sessionsKey(realm));
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsked(true)}>
        {sessions.endAll}
      </button>
      {isAsked && (
        <ConfirmDialog
          title={sessions.endAllOf(realm)}
          confirm={sessions.endAll}
          isDangerous
          isBusy={isBusy}
          failure={failure}
          onConfirm={() =>
            run(
              () => signOutAll(realm),
              sessions.endedAll,
              () => {
                setAsked(false);
                onDone();
              },
            )
          }
          onClose={() => {
            setAsked(false);
            reset();
          }}
        >
          <p>{sessions.endAllLead}</p>
          {realm === session.realm && <p>{sessions.endAllOwn}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
