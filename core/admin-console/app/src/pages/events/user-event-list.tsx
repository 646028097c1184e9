import { useQuery } from '@tanstack/react-query';
import { type EventQuery, eventConfig, userIdOf } from '../../api/events.ts';
import { useTexts } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useListState } from '../../parts/list-state.ts';
import { EVENT_GROUPS, typesOfGroup } from './event-groups.ts';
import { EventTable } from './event-table.tsx';
import { type FilterField, FilterForm } from './filter-form.tsx';
import { texts } from './texts.ts';
import { UserEventRows } from './user-event-rows.tsx';

const NAMES = ['show', 'type', 'user', 'client', 'ipAddress', 'session', 'token', 'dateFrom', 'dateTo'] as const;

/** The realm's events of users and clients. */
export function UserEventList({ realm }: { realm: string }) {
  const strings = useTexts(texts);
  const { get, first, set } = useListState();
  const { data: config } = useQuery(eventConfig(realm));
  const user = useQuery(userIdOf(realm, get('user')));
  const values = Object.fromEntries(NAMES.map((name) => [name, get(name)]));
  const types = typesOfGroup(get('show'));
  const fields: readonly FilterField[] = [
    { name: 'show', label: strings.show, options: Object.keys(EVENT_GROUPS), optionNames: strings.groups },
    { name: 'type', label: strings.type, options: config?.enabledEventTypes ?? [], isOpen: true },
    { name: 'user', label: strings.user, help: strings.userHelp },
    { name: 'client', label: strings.client },
    { name: 'ipAddress', label: strings.address },
    // Shown only if a link has set them.
    ...(get('session') === '' ? [] : [{ name: 'session', label: strings.session }]),
    ...(get('token') === '' ? [] : [{ name: 'token', label: strings.token }]),
    { name: 'dateFrom', label: strings.from, isTime: true },
    { name: 'dateTo', label: strings.to, isTime: true },
  ];
  const clear = () => set(Object.fromEntries(NAMES.map((name) => [name, ''])));
  return (
    <>
      <FilterForm fields={fields} values={values} onApply={set} />
      {user.error !== null && <FailureNotice failure={user.error} />}
      {user.data === null && <p className="notice notice-warning">{strings.noUser(get('user'))}</p>}
      {typeof user.data === 'string' && (
        <EventTable
          realm={realm}
          kind="user"
          filter={{
            // A type is more specific than a group of types.
            ...(types !== undefined && get('type') === '' && { type: types }),
            ...withoutEmpty({ ...pick(get, ['type', 'client', 'ipAddress', 'session', 'token']), user: user.data }),
          }}
          time={withoutEmpty(pick(get, ['dateFrom', 'dateTo']))}
          first={first}
          onFirst={(to) => set({ first: to })}
          onClear={clear}
          Rows={UserEventRows}
        />
      )}
    </>
  );
}

export function pick(get: (name: string) => string, names: readonly string[]): EventQuery {
  return Object.fromEntries(names.map((name) => [name, get(name)]));
}

/** Removes empty values. */
export function withoutEmpty<T extends object>(values: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as { [K in keyof T]?: string };
}
