import type { ReactNode } from 'react';
import { useMessages } from '../messages/language.tsx';

/** An empty list: that nothing fits the search, or what would stand here and how it gets there. */
export function Nothing({ search, onClear, children }: { search: string; onClear: () => void; children: ReactNode }) {
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
