import type { RealmFile } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { StateBadge } from '../files/state-badge.tsx';
import { texts } from './texts.ts';

/** The state of the file. */
export function FileState({ file }: { file: RealmFile }) {
  const strings = useTexts(texts);
  const { state, path, version, since, conflicts, isFollowed } = file;
  return (
    <>
      <div className="state-line">
        <StateBadge state={state} />
        <span>{strings.means[state]}</span>
      </div>
      {!isFollowed && (
        <section className="notice notice-warning">
          <h2>{strings.notFollowed}</h2>
          <p>{strings.notFollowedLead}</p>
        </section>
      )}
      <Facts
        facts={[
          [strings.path, path],
          ...(version === undefined ? [] : [[strings.version, version] as const]),
          ...(since === undefined ? [] : [[strings.since, <Time key="since" at={since} />] as const]),
        ]}
      />
      {conflicts.length > 0 && (
        <section className="notice notice-warning">
          <h2>{strings.conflicts}</h2>
          <ul>
            {conflicts.map((conflict) => (
              <li key={conflict}>{conflict}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
