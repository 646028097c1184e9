import type { ReactNode } from 'react';
import { useMessages } from '../messages/language.tsx';

/** An empty list: reports that nothing matches the search, or explains the purpose of the list. */
export function EmptyList({ search, onClear, children }: { search: string; onClear: () => void; children: ReactNode }) {
  const { table } = useMessages();
  if (search === '') return <div className="nothing">{children}</div>;
  return (
    <div className="nothing" role="status">
      <p>{table.nothingFound(search)}</p>
      <button type="button" onClick={onClear}>
        {table.clear}
      </button>
    </div>
  );
}
