import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { tokenHref } from '../../api/action-tokens.ts';
import { useRights } from '../../api/rights.ts';
import { linksOf, revokeLink, revokeLinks, type UserLink } from '../../api/user-links.ts';
import { userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Time } from '../../parts/time.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as linkTexts } from './link-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

const MAX = 10;

/** The user's valid action tokens. */
export function UserLinks({ realm, user }: UserSectionProps) {
  const texts = useTexts(linkTexts);
  const { none } = useMessages();
  const can = useRights(realm);
  const [first, setFirst] = useState(0);
  const query = useQuery(linksOf(realm, user.id, { first, max: MAX + 1 }));
  const { run, isBusy, done, failure, reset } = useChange(userKey(realm, user.id));
  const [isConfirming, setConfirming] = useState(false);
  const revoke: Column<UserLink> = {
    title: texts.revoke,
    isAction: true,
    show: ({ id, type }) => (
      <button
        type="button"
        aria-label={texts.revokeLink(type)}
        disabled={isBusy}
        onClick={() => run(() => revokeLink(realm, user.id, id), texts.revoked(type))}
      >
        {texts.revoke}
      </button>
    ),
  };
  const columns: readonly Column<UserLink>[] = [
    {
      title: texts.linkType,
      show: ({ id, type }) => (can('view-events') ? <Link href={tokenHref(realm, user.id, id)}>{type}</Link> : type),
    },
    { title: texts.client, isMinor: true, show: ({ clientId }) => clientId ?? none },
    { title: texts.issued, isMinor: true, show: ({ issuedAt }) => <Time at={issuedAt} /> },
    { title: texts.expires, show: ({ expiresAt }) => <Time at={expiresAt} /> },
    ...(user.access.manage ? [revoke] : []),
  ];
  return (
    <section>
      <div className="section-head">
        <h2>{texts.links}</h2>
        {user.access.manage && (
          <button type="button" onClick={() => setConfirming(true)}>
            {texts.revokeAll}
          </button>
        )}
      </div>
      <Outcome done={done} failure={isConfirming ? null : failure} />
      <PagedTable
        query={query}
        caption={texts.links}
        columns={columns}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noLinks}</p>}
      />
      {isConfirming && (
        <Confirm
          title={texts.revokeAllOf(user.username)}
          action={texts.revokeAll}
          isDangerous
          isBusy={isBusy}
          onConfirm={() =>
            run(
              () => revokeLinks(realm, user.id),
              texts.revokedAll,
              () => setConfirming(false),
            )
          }
          onClose={() => {
            setConfirming(false);
            reset();
          }}
        >
          {failure !== null && <FailureNotice failure={failure} />}
          <p>{texts.revokeAllLead}</p>
        </Confirm>
      )}
    </section>
  );
}
