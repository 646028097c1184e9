import type { UseQueryResult } from '@tanstack/react-query';
import type { Key, ReactNode } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { Pager } from './pager.tsx';
import { QueryResult } from './query-result.tsx';

/**
 * A list with paging by the host. One row more than shown is requested, to find out whether there is another page.
 * @param empty shown if there are no rows
 */
export function PagedTable<T>(props: {
  query: UseQueryResult<readonly T[]>;
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => Key;
  first: number;
  max: number;
  onFirst: (first: number) => void;
  empty: ReactNode;
}) {
  const { query, caption, columns, keyOf, first, max, onFirst, empty } = props;
  return (
    <QueryResult query={query}>
      {(rows) => (
        <>
          {rows.length === 0 ? (
            empty
          ) : (
            <DataTable caption={caption} columns={columns} rows={rows.slice(0, max)} keyOf={keyOf} />
          )}
          <Pager
            first={first}
            max={max}
            count={Math.min(rows.length, max)}
            hasMore={rows.length > max}
            onFirst={onFirst}
          />
        </>
      )}
    </QueryResult>
  );
}
