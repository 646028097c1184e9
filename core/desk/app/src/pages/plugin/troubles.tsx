import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** Why its worker is down, why it is left out, or why its newest files do not run. */
export function Troubles({ plugin: { state, reason, failure } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  return (
    <>
      {state === 'down' && (
        <section className="notice notice-bad">
          <h2>{told.down}</h2>
          {reason !== undefined && <p>{reason}</p>}
        </section>
      )}
      {failure !== undefined && (
        <section className={`notice notice-${state === 'left out' ? 'bad' : 'warning'}`}>
          <h2>{state === 'left out' ? told.leftOut : told.refused}</h2>
          <p>
            <Time at={failure.at} />
          </p>
          <pre className="told">{failure.report}</pre>
        </section>
      )}
    </>
  );
}
