import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { endSession, type SessionSearch, sessionsKey, sessionsOf, type UserSession } from '../../api/sessions.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { ClientFilter } from './client-filter.tsx';
import { endColumn, sessionColumns } from './session-columns.tsx';
import { SignOutAll } from './sign-out-all.tsx';
import { type SessionTexts, texts as sessionsTexts } from './texts.ts';

const MAX = 20;
const TYPES = ['ALL', 'REGULAR', 'OFFLINE'] as const satisfies readonly SessionSearch['type'][];

export default function SessionsPage({ realm }: { realm: string }) {
  const { none } = useMessages();
  const sessions = useTexts(sessionsTexts);
  const { get, first, set } = useListState();
  const search = get('search');
  const client = get('client');
  const type = TYPES.find((one) => one === get('type')) ?? 'ALL';
  const query = useQuery(sessionsOf(realm, { search, type, client, first, max: MAX + 1 }));
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const can = useRights(realm);
  const { run, isBusy, done, showMessage, failure } = useChange(sessionsKey(realm));
  const nameOf = ({ username }: UserSession) => username ?? sessions.unknownUser;
  const end = endColumn(sessions, {
    isBusy,
    nameOf,
    onEnd: (session) => run(() => endSession(realm, session), sessions.ended(nameOf(session))),
  });
  const hasFilter = search !== '' || client !== '' || type !== 'ALL';
  return (
    <Page title={sessions.title(realm)} lead={sessions.lead}>
      <section>
        <div className="section-head">
          <SearchField label={sessions.find} value={search} onSearch={onSearch} />
          <ClientFilter realm={realm} client={client} onClient={(id) => set({ client: id })} />
          <TypeField type={type} onType={(one) => set({ type: one === 'ALL' ? '' : one })} />
          {can('manage-users') && <SignOutAll realm={realm} onDone={() => showMessage(sessions.endedAll)} />}
        </div>
        <Outcome done={done} failure={failure} />
        <PagedTable
          query={query}
          caption={sessions.caption}
          columns={[
            userColumn(realm, sessions),
            ...sessionColumns(sessions, none),
            ...(can('manage-users') ? [end] : []),
          ]}
          keyOf={({ id, type: kind }) => `${kind} ${id}`}
          first={first}
          max={MAX}
          onFirst={(to) => set({ first: to })}
          empty={
            hasFilter ? (
              <div className="nothing" role="status">
                <p>{sessions.nothingFits}</p>
                <button type="button" onClick={() => set({ search: '', client: '', type: '' })}>
                  {sessions.showAll}
                </button>
              </div>
            ) : (
              <p className="nothing">{sessions.empty}</p>
            )
          }
        />
      </section>
    </Page>
  );
}

function userColumn(realm: string, sessions: SessionTexts): Column<UserSession> {
  return {
    title: sessions.user,
    show: ({ userId, username, type }) => (
      <>
        {username === undefined ? (
          <small>{sessions.unknownUser}</small>
        ) : (
          <Link href={`/realms/${encodeSegment(realm)}/users/${encodeSegment(userId)}`}>{username}</Link>
        )}{' '}
        {type === 'OFFLINE' && <Badge tone="neutral">{sessions.offline}</Badge>}
      </>
    ),
  };
}

function TypeField({ type, onType }: { type: SessionSearch['type']; onType: (type: SessionSearch['type']) => void }) {
  const sessions = useTexts(sessionsTexts);
  return (
    <fieldset className="choices">
      <legend className="unseen">{sessions.kind}</legend>
      {TYPES.map((one) => (
        <label key={one}>
          <input type="radio" name="type" className="unseen" checked={one === type} onChange={() => onType(one)} />
          {sessions.kinds[one]}
        </label>
      ))}
    </fieldset>
  );
}
