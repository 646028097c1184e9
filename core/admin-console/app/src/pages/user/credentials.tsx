import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Credential, credentialsOf, removeCredential } from '../../api/credentials.ts';
import { serverInfo } from '../../api/server-info.ts';
import { userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { useChange } from '../../parts/use-change.ts';
import { ActionsMail } from './actions-mail.tsx';
import { PasswordForm } from './password-form.tsx';
import { texts as signInTexts } from './sign-in-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The user's credentials. */
export function Credentials({ realm, user }: UserSectionProps) {
  const texts = useTexts(signInTexts);
  const { none } = useMessages();
  const query = useQuery(credentialsOf(realm, user.id));
  const { run, isBusy, done, showMessage, failure, reset } = useChange(userKey(realm, user.id));
  const [toRemove, setToRemove] = useState<Credential>();
  const [dialog, setDialog] = useState<'password' | 'mail'>();
  const { data: host } = useQuery(serverInfo());
  // Credential types of plugins have the name that their provider declares.
  const typeOf = ({ type }: Credential) =>
    texts.types[type] ?? host?.providers.credential?.providers[type]?.operationalInfo?.displayName ?? type;
  const nameOf = (one: Credential) => one.userLabel || typeOf(one);
  const columns: readonly Column<Credential>[] = [
    {
      title: texts.credential,
      show: (one) => (
        <>
          {nameOf(one)}
          {one.userLabel && (
            <>
              <br />
              <small>{typeOf(one)}</small>
            </>
          )}
        </>
      ),
    },
    {
      title: texts.created,
      show: ({ createdDate }) => (createdDate === undefined ? none : <Time at={createdDate} />),
    },
    ...(user.access.manage
      ? [
          {
            title: texts.deleteCredential,
            isAction: true as const,
            show: (one: Credential) => (
              <button type="button" aria-label={texts.removeCredential(nameOf(one))} onClick={() => setToRemove(one)}>
                {texts.deleteCredential}
              </button>
            ),
          },
        ]
      : []),
  ];
  const close = () => {
    setToRemove(undefined);
    reset();
  };
  return (
    <section>
      <div className="section-head">
        <h2>{texts.credentials}</h2>
        {user.access.manage && (
          <p className="actions">
            <button type="button" onClick={() => setDialog('mail')}>
              {texts.mail}
            </button>
            <button type="button" onClick={() => setDialog('password')}>
              {texts.setPassword}
            </button>
          </p>
        )}
      </div>
      <Outcome done={done} />
      <QueryResult query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="nothing">{texts.noCredentials}</p>
          ) : (
            <DataTable caption={texts.credentials} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </QueryResult>
      {toRemove !== undefined && (
        <Confirm
          title={texts.removeCredentialOf(nameOf(toRemove), user.username)}
          action={texts.deleteCredential}
          isDangerous
          isBusy={isBusy}
          onClose={close}
          onConfirm={() =>
            run(
              () => removeCredential(realm, user.id, toRemove.id),
              texts.removedCredential(nameOf(toRemove)),
              () => setToRemove(undefined),
            )
          }
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.removeCredentialLead}</p>
        </Confirm>
      )}
      {dialog === 'password' && (
        <PasswordForm
          realm={realm}
          user={user}
          onClose={() => setDialog(undefined)}
          onSet={() => {
            setDialog(undefined);
            showMessage(texts.passwordSet);
          }}
        />
      )}
      {dialog === 'mail' && (
        <ActionsMail
          realm={realm}
          user={user}
          onClose={() => setDialog(undefined)}
          onSent={(message) => {
            setDialog(undefined);
            showMessage(message);
          }}
        />
      )}
    </section>
  );
}
