import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession, sessionsOfUser, signOutUser } from '../../api/sessions.ts';
import { userKey } from '../../api/users.ts';
import { useMessages } from '../../messages/language.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useChange } from '../../parts/use-change.ts';
import { endColumn, sessionColumns } from '../sessions/session-columns.tsx';
import type { OfUser } from './user-page.tsx';

const MAX = 10;

/** Where the user is signed in. */
export function UserSessions({ realm, user }: OfUser) {
  const messages = useMessages();
  const { user: texts, sessions } = messages;
  const [first, setFirst] = useState(0);
  const query = useQuery(sessionsOfUser(realm, user.id, { first, max: MAX + 1 }));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [isAsked, setAsked] = useState(false);
  const name = user.username;
  const end = endColumn(messages, {
    isBusy,
    nameOf: () => name,
    onEnd: (session) => run(() => endSession(realm, session), sessions.ended(name)),
  });
  return (
    <section>
      <div className="section-head">
        <h2>{texts.sessions}</h2>
        {user.access.manage && (
          <button type="button" onClick={() => setAsked(true)}>
            {texts.signOut}
          </button>
        )}
      </div>
      <Outcome done={done} failure={isAsked ? null : failure} />
      <PagedTable
        query={query}
        caption={texts.sessions}
        columns={[...sessionColumns(messages), ...(user.access.manage ? [end] : [])]}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noSessions}</p>}
      />
      {isAsked && (
        <ConfirmDialog
          title={texts.signOutOf(name)}
          confirm={texts.signOut}
          isDangerous
          isBusy={isBusy}
          failure={failure}
          onConfirm={() =>
            run(
              () => signOutUser(realm, user.id),
              texts.signedOut,
              () => setAsked(false),
            )
          }
          onClose={() => {
            setAsked(false);
            reset();
          }}
        >
          <p>{texts.signOutLead}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
