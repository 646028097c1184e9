import { useState } from 'react';
import type { Change } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts } from './texts.ts';
import { ValueDiff } from './value-diff.tsx';

/** The number of changes that are shown at first. */
const MAX_SHOWN = 100;

/** Changes with the values before and after. @param props.left the number of further changes */
export function ChangeList({ label, changes, left }: { label: string; changes: readonly Change[]; left: number }) {
  const strings = useTexts(texts);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? changes : changes.slice(0, MAX_SHOWN);
  return (
    <>
      <ul className="changes" aria-label={label}>
        {shown.map((change, index) => (
          // Members of a set have the same path.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered, a new plan is another list
          <li key={index}>
            <p className="change-head">
              <code>{change.path.join(' › ')}</code>
              <small>
                {change.isHidden === true
                  ? strings.hidden
                  : (strings.operations?.[change.operation] ?? change.sentence)}
              </small>
            </p>
            <ValueDiff before={change.before} after={change.after} />
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <p className="actions">
          <button type="button" onClick={() => setShowsAll(true)}>
            {strings.all(changes.length)}
          </button>
        </p>
      )}
      {left > 0 && <p className="help">{strings.left(left)}</p>}
    </>
  );
}
