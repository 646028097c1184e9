import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useListState } from '../../parts/list-state.ts';
import { AdminEventRows } from './admin-event-rows.tsx';
import { EventTable } from './event-table.tsx';
import { type FilterField, FilterForm } from './filter-form.tsx';
import { adminEventTexts } from './sentences/admin-event-texts.ts';
import { texts } from './texts.ts';
import { useAdminId } from './use-admin-names.ts';
import { pick, withoutEmpty } from './user-event-list.tsx';

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'ACTION'];
const RESOURCE_TYPES = Object.keys(adminEventTexts.nouns);
const NAMES = [
  'operationTypes',
  'resourceTypes',
  'resourcePath',
  'authUser',
  'authIpAddress',
  'dateFrom',
  'dateTo',
] as const;

/** The events of the realm's admins. */
export function AdminEventList({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const { get, first, set } = useListState();
  const admin = useAdminId(realm, get('authUser'));
  const values = Object.fromEntries(NAMES.map((name) => [name, get(name)]));
  const fields: readonly FilterField[] = [
    { name: 'operationTypes', label: strings.operation, options: OPERATIONS, optionNames: strings.operations },
    { name: 'resourceTypes', label: strings.resource, options: RESOURCE_TYPES, isOpen: true },
    { name: 'authUser', label: strings.admin, help: strings.userHelp },
    { name: 'resourcePath', label: strings.path, help: strings.pathHelp },
    { name: 'authIpAddress', label: strings.address },
    { name: 'dateFrom', label: strings.from, isTime: true },
    { name: 'dateTo', label: strings.to, isTime: true },
  ];
  return (
    <>
      <FilterForm fields={fields} values={values} onApply={set} />
      {admin.error !== null && <FailureNotice failure={admin.error} />}
      {admin.id === null && <p className="notice notice-warning">{strings.noUser(get('authUser'))}</p>}
      {typeof admin.id === 'string' && (
        <EventTable
          realm={realm}
          kind="admin"
          filter={withoutEmpty({
            ...pick(get, ['operationTypes', 'resourceTypes', 'resourcePath', 'authIpAddress']),
            authUser: admin.id,
          })}
          time={withoutEmpty(pick(get, ['dateFrom', 'dateTo']))}
          first={first}
          onFirst={(to) => set({ first: to })}
          onClear={() => set(Object.fromEntries(NAMES.map((name) => [name, ''])))}
          Rows={AdminEventRows}
        />
      )}
    </>
  );
}
