import { useState } from 'react';
import { sessionsKey, signOutAll } from '../../api/sessions.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useChange } from '../../parts/use-change.ts';
import { session } from '../../session/session.ts';
import { texts as sessionsTexts } from './texts.ts';

/** Signs out all users of the realm, including the signed-in user if it is that user's realm. */
export function SignOutAll({ realm, onDone }: { realm: string; onDone: () => void }) {
  const sessions = useTexts(sessionsTexts);
  const [isConfirming, setConfirming] = useState(false);
  const { run, isBusy, failure, reset } = useChange(sessionsKey(realm));
  return (
    <>
      <button type="button" className="danger" onClick={() => setConfirming(true)}>
        {sessions.endAll}
      </button>
      {isConfirming && (
        <Confirm
          title={sessions.endAllOf(realm)}
          action={sessions.endAll}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => signOutAll(realm),
              sessions.endedAll,
              () => {
                setConfirming(false);
                onDone();
              },
            )
          }
          onClose={() => {
            setConfirming(false);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{sessions.endAllLead}</p>
          {realm === session.realm && <p>{sessions.endAllOwn}</p>}
        </Confirm>
      )}
    </>
  );
}
