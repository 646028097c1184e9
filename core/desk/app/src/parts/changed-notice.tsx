import type { ReactNode } from 'react';
import type { ApiFailure } from '../api/failure.ts';
import { useMessages } from '../messages/language.tsx';
import { Time } from './time.tsx';

/** One member of which somebody else has changed what it says. */
export interface Difference {
  readonly name: string;
  readonly before: ReactNode;
  readonly now: ReactNode;
}

/** Tells the second of two editors who came between and what is other now. What they typed stays as it is. */
export function ChangedNotice(props: {
  failure: ApiFailure;
  differences: readonly Difference[];
  isBusy: boolean;
  onOverwrite: () => void;
  onLoadAnew: () => void;
}) {
  const { failure, differences, isBusy, onOverwrite, onLoadAnew } = props;
  const { changed, none } = useMessages().editing;
  const { change } = failure;
  return (
    <section className="notice notice-warning" role="alert">
      <h2>{changed.title(change?.username)}</h2>
      <p>
        {change !== undefined && (
          <>
            {changed.at} <Time at={change.time} />.{' '}
          </>
        )}
        {changed.lead}
      </p>
      {differences.length > 0 && (
        <dl className="differences">
          {differences.map(({ name, before, now }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <del>{before || none}</del> → <ins>{now || none}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="actions">
        <button type="button" disabled={isBusy} onClick={onOverwrite}>
          {changed.overwrite}
        </button>
        <button type="button" disabled={isBusy} onClick={onLoadAnew}>
          {changed.loadAnew}
        </button>
      </p>
    </section>
  );
}
