import type { HostPlugin } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { texts } from './texts.ts';

const TONES: Readonly<Record<HostPlugin['state'], Tone>> = { running: 'good', down: 'bad', 'left out': 'bad' };

/** The state of a plugin, with a note if its newest files do not run. */
export function PluginState({ plugin: { state, failure } }: { plugin: HostPlugin }) {
  const { states, stale } = useTexts(texts);
  return (
    <>
      <Badge tone={TONES[state]}>{states[state]}</Badge>
      {state !== 'left out' && failure !== undefined && (
        <>
          {' '}
          <Badge tone="warning">{stale}</Badge>
        </>
      )}
    </>
  );
}
