import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession, sessionsOfUser, signOutUser } from '../../api/sessions.ts';
import { userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useChange } from '../../parts/use-change.ts';
import { endColumn, sessionColumns } from '../sessions/session-columns.tsx';
import { texts as sessionsTexts } from '../sessions/texts.ts';
import { texts as sessionTexts } from './session-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

const MAX = 10;

/** The user's sessions. */
export function UserSessions({ realm, user }: UserSectionProps) {
  const { none } = useMessages();
  const texts = useTexts(sessionTexts);
  const sessions = useTexts(sessionsTexts);
  const [first, setFirst] = useState(0);
  const query = useQuery(sessionsOfUser(realm, user.id, { first, max: MAX + 1 }));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [isConfirming, setConfirming] = useState(false);
  const name = user.username;
  const end = endColumn(sessions, {
    isBusy,
    nameOf: () => name,
    onEnd: (session) => run(() => endSession(realm, session), sessions.ended(name)),
  });
  return (
    <section>
      <div className="section-head">
        <h2>{texts.sessions}</h2>
        {user.access.manage && (
          <button type="button" onClick={() => setConfirming(true)}>
            {texts.signOut}
          </button>
        )}
      </div>
      <Outcome done={done} failure={isConfirming ? null : failure} />
      <PagedTable
        query={query}
        caption={texts.sessions}
        columns={[...sessionColumns(sessions, none), ...(user.access.manage ? [end] : [])]}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noSessions}</p>}
      />
      {isConfirming && (
        <Confirm
          title={texts.signOutOf(name)}
          action={texts.signOut}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => signOutUser(realm, user.id),
              texts.signedOut,
              () => setConfirming(false),
            )
          }
          onClose={() => {
            setConfirming(false);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.signOutLead}</p>
        </Confirm>
      )}
    </section>
  );
}
