import type { RealmFile } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { StateBadge } from '../files/state-badge.tsx';
import { texts } from './texts.ts';

/** The state of the file. */
export function FileState({ file }: { file: RealmFile }) {
  const told = useTexts(texts);
  const { state, path, version, since, conflicts, isFollowed } = file;
  return (
    <>
      <div className="state-line">
        <StateBadge state={state} />
        <span>{told.means[state]}</span>
      </div>
      {!isFollowed && (
        <section className="notice notice-warning">
          <h2>{told.notFollowed}</h2>
          <p>{told.notFollowedLead}</p>
        </section>
      )}
      <Facts
        facts={[
          [told.path, path],
          ...(version === undefined ? [] : [[told.version, version] as const]),
          ...(since === undefined ? [] : [[told.since, <Time key="since" at={since} />] as const]),
        ]}
      />
      {conflicts.length > 0 && (
        <section className="notice notice-warning">
          <h2>{told.conflicts}</h2>
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
