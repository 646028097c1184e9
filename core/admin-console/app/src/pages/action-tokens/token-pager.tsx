import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';

/** A pager for a list in which each page contains the position of the next. */
export function TokenPager(props: { after: string; next: string | undefined; onAfter: (position: string) => void }) {
  const strings = useTexts(texts);
  const { after, next, onAfter } = props;
  if (after === '' && next === undefined) return null;
  return (
    <nav className="pager" aria-label={strings.paging}>
      <button type="button" disabled={after === ''} onClick={() => onAfter('')}>
        {strings.newest}
      </button>
      <button type="button" disabled={next === undefined} onClick={() => next !== undefined && onAfter(next)}>
        {strings.older}
      </button>
    </nav>
  );
}
