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
 * Shows whether new events are received, with a button to pause. @param fresh the number of new events that are not
 * shown
 */
export function LiveBar(props: {
  heard: ReturnType<typeof useLive>;
  isOn: boolean;
  isPaused: boolean;
  fresh: number;
  onPause: (isPaused: boolean) => void;
  onShow: () => void;
}) {
  const { heard, isOn, isPaused, fresh, onPause, onShow } = props;
  const told = useTexts(texts);
  if (!isOn) return <p className="live-bar help">{told.off}</p>;
  const { state, hasGap, failure } = heard;
  return (
    <>
      <div className="live-bar">
        <span role="status">
          {isPaused && state === 'live' ? (
            <Badge tone="warning">{told.paused}</Badge>
          ) : (
            <Badge tone={TONES[state]}>{told.live[state]}</Badge>
          )}
        </span>
        {state !== 'ended' && (
          <button type="button" onClick={() => onPause(!isPaused)}>
            {isPaused ? told.resume : told.pause}
          </button>
        )}
        {fresh > 0 && (
          <button type="button" className="plain" onClick={onShow}>
            {told.fresh(fresh)}
          </button>
        )}
      </div>
      {hasGap && <p className="notice">{told.gap}</p>}
      {failure !== undefined && <FailureNotice failure={failure} />}
    </>
  );
}
