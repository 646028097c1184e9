import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** The reason why its worker is down. */
export function WhyDown({ plugin: { state, reason } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  if (state !== 'down') return null;
  return (
    <section className="notice notice-bad">
      <h2>{told.down}</h2>
      {reason !== undefined && <p>{reason}</p>}
    </section>
  );
}

/** The reason why it is left out, or why its newest files do not run. */
export function WhyNot({ plugin: { state, failure } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  if (failure === undefined) return null;
  const isOut = state === 'left out';
  return (
    <section className={`notice notice-${isOut ? 'bad' : 'warning'}`}>
      <h2>{isOut ? told.leftOut : told.refused}</h2>
      <p>
        <Time at={failure.at} />
      </p>
      <pre className="told">{failure.report}</pre>
    </section>
  );
}
