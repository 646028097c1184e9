import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** The reason why the plugin's worker is down. */
export function DownNotice({ plugin: { state, reason } }: { plugin: HostPlugin }) {
  const strings = useTexts(texts);
  if (state !== 'down') return null;
  return (
    <section className="notice notice-bad">
      <h2>{strings.down}</h2>
      {reason !== undefined && <p>{reason}</p>}
    </section>
  );
}

/** The reason why the plugin is left out, or why its newest files do not run. */
export function UpdateFailureNotice({ plugin: { state, failure } }: { plugin: HostPlugin }) {
  const strings = useTexts(texts);
  if (failure === undefined) return null;
  const isOut = state === 'left out';
  return (
    <section className={`notice notice-${isOut ? 'bad' : 'warning'}`}>
      <h2>{isOut ? strings.leftOut : strings.refused}</h2>
      <p>
        <Time at={failure.at} />
      </p>
      <pre className="told">{failure.report}</pre>
    </section>
  );
}
