import { useTexts } from '../../messages/language.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { texts } from './texts.ts';

/** The event as the Admin REST API returns it. */
export function RawEvent({ event }: { event: object }) {
  const strings = useTexts(texts);
  const json = JSON.stringify(event, null, 2);
  return (
    <section>
      <div className="section-head">
        <h2>{strings.raw}</h2>
        <CopyButton text={json} label={strings.raw} />
      </div>
      <pre className="told raw-event">{json}</pre>
    </section>
  );
}
