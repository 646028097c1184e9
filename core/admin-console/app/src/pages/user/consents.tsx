import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Consent, consentsOf, revokeConsent } from '../../api/consents.ts';
import { userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as sessionTexts } from './session-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The clients that the user lets access data, and those that have offline tokens. */
export function Consents({ realm, user }: UserSectionProps) {
  const texts = useTexts(sessionTexts);
  const columns = useColumns();
  const query = useQuery(consentsOf(realm, user.id));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [toRevoke, setToRevoke] = useState<string>();
  const revoke: Column<Consent> = {
    title: texts.revoke,
    isAction: true,
    show: ({ clientId }) => (
      <button type="button" aria-label={texts.revokeOne(clientId)} onClick={() => setToRevoke(clientId)}>
        {texts.revoke}
      </button>
    ),
  };
  return (
    <section>
      <h2>{texts.consents}</h2>
      <Outcome done={done} />
      <QueryResult query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="nothing">{texts.noConsents}</p>
          ) : (
            <DataTable
              caption={texts.consents}
              columns={[...columns, ...(user.access.manage ? [revoke] : [])]}
              rows={rows}
              keyOf={({ clientId }) => clientId}
            />
          )
        }
      </QueryResult>
      {toRevoke !== undefined && (
        <Confirm
          title={texts.revokeOf(toRevoke, user.username)}
          action={texts.revoke}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => revokeConsent(realm, user.id, toRevoke),
              texts.revoked(toRevoke),
              () => setToRevoke(undefined),
            )
          }
          onClose={() => {
            setToRevoke(undefined);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.revokeLead}</p>
        </Confirm>
      )}
    </section>
  );
}

function useColumns(): readonly Column<Consent>[] {
  const texts = useTexts(sessionTexts);
  const { none } = useMessages();
  const time = (at: number | null) => (at === null ? none : <Time at={at} />);
  return [
    { title: texts.client, show: ({ clientId }) => clientId },
    {
      title: texts.scopes,
      show: ({ grantedClientScopes, additionalGrants }) => (
        <>
          {grantedClientScopes.join(', ')}{' '}
          {additionalGrants.length > 0 && <Badge tone="neutral">{texts.offline}</Badge>}
        </>
      ),
    },
    { title: texts.granted, isMinor: true, show: ({ createdDate }) => time(createdDate) },
    { title: texts.updated, isMinor: true, show: ({ lastUpdatedDate }) => time(lastUpdatedDate) },
  ];
}
