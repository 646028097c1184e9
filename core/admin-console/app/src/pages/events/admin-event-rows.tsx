import { Link } from 'wouter';
import { segment } from '../../address.ts';
import type { AdminEvent } from '../../api/events.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventRowsProps } from './event-table.tsx';
import { texts } from './texts.ts';
import { useAdminNames } from './use-admin-names.ts';

export function AdminEventRows({ realm, rows, caption }: EventRowsProps<AdminEvent>) {
  const told = useTexts(texts);
  const { none } = useMessages();
  const nameOf = useAdminNames(
    realm,
    rows.map(({ authDetails }) => authDetails.userId),
  );
  const columns: readonly Column<AdminEvent>[] = [
    {
      title: told.operation,
      show: ({ id, operationType, resourceType, error }) => (
        <>
          <Link href={`/realms/${segment(realm)}/events/admin/${segment(id)}`} className={error && 'event-bad'}>
            {operationType} {resourceType}
          </Link>
          {error !== undefined && (
            <>
              <br />
              <small>{error}</small>
            </>
          )}
        </>
      ),
    },
    { title: told.time, show: ({ time }) => <Time at={time} /> },
    { title: told.admin, show: ({ authDetails }) => nameOf(authDetails.userId)?.name ?? authDetails.userId },
    { title: told.path, isMinor: true, show: ({ resourcePath }) => <code>{resourcePath || none}</code> },
    { title: told.address, isMinor: true, show: ({ authDetails }) => authDetails.ipAddress },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
