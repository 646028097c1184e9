import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { AdminEventRows } from './admin-event-rows.tsx';
import { EventTable } from './event-table.tsx';
import { type FilterField, FilterForm } from './filter-form.tsx';
import { texts } from './texts.ts';
import { pick, withoutEmpty } from './user-event-list.tsx';

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'ACTION'];
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
  const values = Object.fromEntries(NAMES.map((name) => [name, get(name)]));
  const fields: readonly FilterField[] = [
    { name: 'operationTypes', label: strings.operation, options: OPERATIONS },
    { name: 'resourceTypes', label: strings.resource },
    { name: 'resourcePath', label: strings.path, help: strings.pathHelp },
    { name: 'authIpAddress', label: strings.address },
    // An ID from a link: the admin may be a user of master.
    ...(get('authUser') === '' ? [] : [{ name: 'authUser', label: strings.admin }]),
    { name: 'dateFrom', label: strings.from, isTime: true },
    { name: 'dateTo', label: strings.to, isTime: true },
  ];
  return (
    <>
      <FilterForm fields={fields} values={values} onApply={set} />
      <EventTable
        realm={realm}
        kind="admin"
        filter={withoutEmpty(
          pick(get, ['operationTypes', 'resourceTypes', 'resourcePath', 'authUser', 'authIpAddress']),
        )}
        time={withoutEmpty(pick(get, ['dateFrom', 'dateTo']))}
        first={first}
        onFirst={(to) => set({ first: to })}
        onClear={() => set(Object.fromEntries(NAMES.map((name) => [name, ''])))}
        Rows={AdminEventRows}
      />
    </>
  );
}
