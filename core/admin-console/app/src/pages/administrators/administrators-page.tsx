import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type Administrator, administratorsOf } from '../../api/administrators.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { type ListState, useListState } from '../../parts/list-state.ts';
import { Outcome } from '../../parts/outcome.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { session } from '../../session/session.ts';
import { useAdministratorColumns } from './administrator-columns.tsx';
import { RemoveAdministrator } from './remove-administrator.tsx';
import { texts as administratorTexts } from './texts.ts';

const MAX = 20;
/** The rights by which the list can be filtered. */
const RIGHTS = [
  'realm-admin',
  'manage-users',
  'manage-clients',
  'manage-realm',
  'manage-identity-providers',
  'view-events',
  'impersonation',
];
const MASTER = 'master';

export default function AdministratorsPage({ realm }: { realm: string }) {
  const texts = useTexts(administratorTexts);
  const state = useListState();
  const can = useRights(realm);
  const [removing, setRemoving] = useState<Administrator>();
  const [done, setDone] = useState<string>();
  const over = realm === MASTER ? state.get('over') : '';
  const [search, role] = [state.get('search'), state.get('role')];
  const query = useQuery(administratorsOf(realm, { search, role, over, first: state.first, max: MAX + 1 }));
  const columns = useAdministratorColumns(realm, can('manage-users') ? setRemoving : undefined);
  const basePath = `/realms/${encodeSegment(realm)}/administrators`;
  return (
    <Page title={texts.title(realm)} lead={realm === MASTER ? texts.leadOfMaster : texts.lead}>
      {realm !== MASTER && <OfMaster realm={realm} />}
      <section>
        <Filters state={state} isMaster={realm === MASTER}>
          {can('manage-users') && (
            <Link className="button" href={`${basePath}/new`}>
              {texts.add}
            </Link>
          )}
        </Filters>
        {over !== '' && (
          <p className="notice">
            <span>
              {texts.onlyOver(over)} <Link href={basePath}>{texts.showAll}</Link>
            </span>
          </p>
        )}
        <Outcome done={done} />
        <PagedTable
          query={query}
          caption={texts.caption}
          columns={columns}
          keyOf={({ id }) => id}
          first={state.first}
          max={MAX}
          onFirst={(to) => state.set({ first: to })}
          empty={
            <div className="nothing" role="status">
              <p>{search === '' && role === '' && over === '' ? texts.empty : texts.nothingFits}</p>
            </div>
          }
        />
      </section>
      {removing !== undefined && (
        <RemoveAdministrator
          realm={realm}
          administrator={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => setDone(texts.removed(removing.username))}
        />
      )}
    </Page>
  );
}

/** Administrators of master may manage every realm, and are not users of this one. */
function OfMaster({ realm }: { realm: string }) {
  const texts = useTexts(administratorTexts);
  const href = `/realms/${MASTER}/administrators?${new URLSearchParams({ over: realm })}`;
  return (
    <p className="notice">
      <span>
        {texts.ofMaster(realm)} {session.realm === MASTER && <Link href={href}>{texts.showMaster}</Link>}
      </span>
    </p>
  );
}

function Filters(props: { state: ListState; isMaster: boolean; children: ReactNode }) {
  const { state, isMaster, children } = props;
  const texts = useTexts(administratorTexts);
  const { set } = state;
  const onSearch = useCallback((value: string) => set({ search: value }), [set]);
  const rights = isMaster ? ['admin', 'create-realm', ...RIGHTS] : RIGHTS;
  return (
    <div className="section-head">
      <SearchField label={texts.find} value={state.get('search')} onSearch={onSearch} />
      <label className="filter">
        <span className="unseen">{texts.may}</span>
        <select value={state.get('role')} onChange={({ target }) => set({ role: target.value })}>
          <option value="">{texts.anyRight}</option>
          {rights.map((right) => (
            <option key={right} value={right}>
              {texts.roles[right]}
            </option>
          ))}
        </select>
      </label>
      {children}
    </div>
  );
}
