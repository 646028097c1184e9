import { useTexts } from '../../messages/language.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { texts } from './texts.ts';
import type { LiveState, useLive } from './use-live.ts';

const TONES: Readonly<Record<LiveState, Tone>> = {
  connecting: 'neutral',
  live: 'good',
  waiting: 'warning',
  ended: 'bad',
};

/**
 * Shows whether new events are received, with a button to pause.
 * @param fresh the number of new events that are not shown
 */
export function LiveBar(props: {
  live: ReturnType<typeof useLive>;
  isOn: boolean;
  isPaused: boolean;
  fresh: number;
  onPause: (isPaused: boolean) => void;
  onShow: () => void;
}) {
  const { live, isOn, isPaused, fresh, onPause, onShow } = props;
  const strings = useTexts(texts);
  if (!isOn) return <p className="live-bar help">{strings.off}</p>;
  const { state, hasGap, failure } = live;
  return (
    <>
      <div className="live-bar">
        <span role="status">
          {isPaused && state === 'live' ? (
            <Badge tone="warning">{strings.paused}</Badge>
          ) : (
            <Badge tone={TONES[state]}>{strings.live[state]}</Badge>
          )}
        </span>
        {state !== 'ended' && (
          <button type="button" onClick={() => onPause(!isPaused)}>
            {isPaused ? strings.resume : strings.pause}
          </button>
        )}
        {fresh > 0 && (
          <button type="button" className="plain" onClick={onShow}>
            {strings.fresh(fresh)}
          </button>
        )}
      </div>
      {hasGap && <p className="notice">{strings.gap}</p>}
      {failure !== undefined && <FailureNotice failure={failure} />}
    </>
  );
}
