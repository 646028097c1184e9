import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type LinkedAccount, linkedAccountsOf, unlinkAccount } from '../../api/linked-accounts.ts';
import { useRights } from '../../api/rights.ts';
import { userKey } from '../../api/users.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as accountTexts } from './account-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The user's accounts at identity providers. */
export function LinkedAccounts({ realm, user }: UserSectionProps) {
  const texts = useTexts(accountTexts);
  const can = useRights(realm);
  const query = useQuery(linkedAccountsOf(realm, user.id));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [toUnlink, setToUnlink] = useState<string>();
  const unlink: Column<LinkedAccount> = {
    title: texts.unlink,
    isAction: true,
    show: ({ identityProvider }) => (
      <button
        type="button"
        aria-label={texts.unlinkOne(identityProvider)}
        onClick={() => setToUnlink(identityProvider)}
      >
        {texts.unlink}
      </button>
    ),
  };
  const columns: readonly Column<LinkedAccount>[] = [
    {
      title: texts.provider,
      show: ({ identityProvider: alias, userName }) => (
        <>
          {can('view-identity-providers') ? (
            <Link href={`/realms/${encodeSegment(realm)}/identity-providers/${encodeSegment(alias)}`}>{alias}</Link>
          ) : (
            alias
          )}
          <small className="narrow">{userName}</small>
        </>
      ),
    },
    { title: texts.account, isMinor: true, show: ({ userName }) => userName },
    { title: texts.accountId, isMinor: true, show: ({ userId }) => <code>{userId}</code> },
    ...(user.access.manage ? [unlink] : []),
  ];
  return (
    <section>
      <Outcome done={done} />
      <QueryResult query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="nothing">{texts.empty}</p>
          ) : (
            <DataTable
              caption={texts.caption}
              columns={columns}
              rows={rows}
              keyOf={({ identityProvider }) => identityProvider}
            />
          )
        }
      </QueryResult>
      {toUnlink !== undefined && (
        <Confirm
          title={texts.unlinkOf(toUnlink, user.username)}
          action={texts.unlink}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => unlinkAccount(realm, user.id, toUnlink),
              texts.unlinked(toUnlink),
              () => setToUnlink(undefined),
            )
          }
          onClose={() => {
            setToUnlink(undefined);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.unlinkLead}</p>
        </Confirm>
      )}
    </section>
  );
}
