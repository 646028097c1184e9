import { useMessages } from '../messages/language.tsx';

/** A pager for a list of unknown length. @param count the number of rows that are shown */
export function Pager(props: {
  first: number;
  max: number;
  count: number;
  hasMore: boolean;
  onFirst: (first: number) => void;
}) {
  const { table } = useMessages();
  const { first, max, count, hasMore, onFirst } = props;
  if (first === 0 && !hasMore) return null;
  return (
    <nav className="pager" aria-label={table.paging}>
      <button type="button" disabled={first === 0} onClick={() => onFirst(Math.max(0, first - max))}>
        {table.previous}
      </button>
      <span>{table.range(first + 1, first + count)}</span>
      <button type="button" disabled={!hasMore} onClick={() => onFirst(first + max)}>
        {table.next}
      </button>
    </nav>
  );
}
