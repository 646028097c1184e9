import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { type EventKind, type EventOf, type EventQuery, eventsOf } from '../../api/events.ts';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { Pager } from '../../parts/pager.tsx';
import { LiveBar } from './live-bar.tsx';
import { texts } from './texts.ts';
import { distinct, useLive } from './use-live.ts';

const MAX = 25;
/** The maximum number of rows: new events extend the first page beyond its length. */
const MOST = 500;

export interface EventRowsProps<E> {
  readonly realm: string;
  readonly rows: readonly E[];
  readonly caption: string;
}

/**
 * Stored events, and new ones in front of them.
 * @param filter the query of the API, without the times, which a stream does not support
 */
export function EventTable<K extends EventKind>(props: {
  realm: string;
  kind: K;
  filter: EventQuery;
  time: { readonly dateFrom?: string; readonly dateTo?: string };
  first: number;
  onFirst: (first: number) => void;
  onClear: () => void;
  Rows: ComponentType<EventRowsProps<EventOf[K]>>;
}) {
  const { realm, kind, filter, time, first, onFirst, onClear, Rows } = props;
  const told = useTexts(texts);
  const isLive = first === 0 && time.dateTo === undefined;
  const query = useQuery({
    ...eventsOf(realm, kind, { ...filter, ...time, first, max: MAX + 1 }),
    placeholderData: keepPreviousData,
  });
  const heard = useLive(realm, kind, filter, isLive);
  const [isPaused, setPaused] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const { shown, fresh, show } = useHeld(isLive ? heard.events : [], isPaused || isTouched);
  const isNarrow = Object.keys({ ...filter, ...time }).length > 0;
  return (
    <section>
      {query.error === null && (
        <LiveBar heard={heard} isOn={isLive} isPaused={isPaused} fresh={fresh} onPause={setPaused} onShow={show} />
      )}
      <QueryResult query={query}>
        {(found) => {
          const rows = distinct([...shown, ...found.slice(0, MAX)]).slice(0, MOST) as readonly EventOf[K][];
          return (
            <>
              {rows.length === 0 ? (
                <None isNarrow={isNarrow} onClear={onClear} />
              ) : (
                // The rows must not move while the pointer is above them.
                <div
                  onPointerEnter={({ pointerType }) => setTouched(pointerType === 'mouse')}
                  onPointerLeave={() => setTouched(false)}
                >
                  <Rows realm={realm} caption={told.caption[kind]} rows={rows} />
                </div>
              )}
              <Pager
                first={first}
                max={MAX}
                count={first === 0 ? rows.length : Math.min(found.length, MAX)}
                hasMore={found.length > MAX}
                onFirst={onFirst}
              />
            </>
          );
        }}
      </QueryResult>
    </section>
  );
}

function None({ isNarrow, onClear }: { isNarrow: boolean; onClear: () => void }) {
  const told = useTexts(texts);
  return (
    <div className="nothing" role="status">
      <p>{isNarrow ? told.noneFit : told.none}</p>
      {isNarrow && (
        <button type="button" onClick={onClear}>
          {told.clear}
        </button>
      )}
    </div>
  );
}

/** Holds the list: new events are counted and not shown. */
function useHeld<E>(events: readonly E[], isHeld: boolean) {
  const [held, setHeld] = useState<readonly E[]>();
  if (isHeld && held === undefined) setHeld(events);
  if (!isHeld && held !== undefined) setHeld(undefined);
  const shown = held ?? events;
  const known = new Set(shown);
  return {
    shown,
    fresh: events.filter((event) => !known.has(event)).length,
    show: () => setHeld((before) => before && events),
  };
}
