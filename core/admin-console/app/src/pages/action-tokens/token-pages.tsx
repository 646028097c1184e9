import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';

/** A pager for a list in which each page contains the position of the next. */
export function TokenPages(props: { after: string; next: string | undefined; onAfter: (place: string) => void }) {
  const told = useTexts(texts);
  const { after, next, onAfter } = props;
  if (after === '' && next === undefined) return null;
  return (
    <nav className="pager" aria-label={told.paging}>
      <button type="button" disabled={after === ''} onClick={() => onAfter('')}>
        {told.newest}
      </button>
      <button type="button" disabled={next === undefined} onClick={() => next !== undefined && onAfter(next)}>
        {told.older}
      </button>
    </nav>
  );
}
