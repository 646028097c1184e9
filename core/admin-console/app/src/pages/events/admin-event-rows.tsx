import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { AdminEvent } from '../../api/events.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventRowsProps } from './event-table.tsx';
import { texts } from './texts.ts';
import { useAdminNames } from './use-admin-names.ts';

export function AdminEventRows({ realm, rows, caption }: EventRowsProps<AdminEvent>) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const nameOf = useAdminNames(
    realm,
    rows.map(({ authDetails }) => authDetails.userId),
  );
  const columns: readonly Column<AdminEvent>[] = [
    {
      title: strings.operation,
      show: ({ id, operationType, resourceType, error }) => (
        <>
          <Link
            href={`/realms/${encodeSegment(realm)}/events/admin/${encodeSegment(id)}`}
            className={error && 'event-bad'}
          >
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
    { title: strings.time, show: ({ time }) => <Time at={time} /> },
    { title: strings.admin, show: ({ authDetails }) => nameOf(authDetails.userId)?.name ?? authDetails.userId },
    { title: strings.path, isMinor: true, show: ({ resourcePath }) => <code>{resourcePath || none}</code> },
    { title: strings.address, isMinor: true, show: ({ authDetails }) => authDetails.ipAddress },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
