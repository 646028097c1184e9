import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { type EventKind, type EventOf, type EventQuery, eventsOf } from '../../api/events.ts';
import { useTexts } from '../../messages/language.tsx';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { LiveBar } from './live-bar.tsx';
import { texts } from './texts.ts';
import { distinct, useLive } from './use-live.ts';

const PAGE_SIZE = 25;
/** The maximum number of rows: new events extend the first page beyond its length. */
const MAX_ROWS = 500;

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
  const strings = useTexts(texts);
  const isLive = first === 0 && time.dateTo === undefined;
  const query = useQuery({
    ...eventsOf(realm, kind, { ...filter, ...time, first, max: PAGE_SIZE + 1 }),
    placeholderData: keepPreviousData,
  });
  const live = useLive(realm, kind, filter, isLive);
  const [isPaused, setPaused] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const { shown, fresh, show } = usePausable(isLive ? live.events : [], isPaused || isTouched);
  const hasFilter = Object.keys({ ...filter, ...time }).length > 0;
  return (
    <section>
      {query.error === null && (
        <LiveBar live={live} isOn={isLive} isPaused={isPaused} fresh={fresh} onPause={setPaused} onShow={show} />
      )}
      <QueryResult query={query}>
        {(found) => {
          const rows = distinct([...shown, ...found.slice(0, PAGE_SIZE)]).slice(0, MAX_ROWS) as readonly EventOf[K][];
          return (
            <>
              {rows.length === 0 ? (
                <NoEvents hasFilter={hasFilter} onClear={onClear} />
              ) : (
                // The rows must not move while the pointer is above them.
                <div
                  onPointerEnter={({ pointerType }) => setTouched(pointerType === 'mouse')}
                  onPointerLeave={() => setTouched(false)}
                >
                  <Rows realm={realm} caption={strings.caption[kind]} rows={rows} />
                </div>
              )}
              <Pager
                first={first}
                max={PAGE_SIZE}
                count={first === 0 ? rows.length : Math.min(found.length, PAGE_SIZE)}
                hasMore={found.length > PAGE_SIZE}
                onFirst={onFirst}
              />
            </>
          );
        }}
      </QueryResult>
    </section>
  );
}

function NoEvents({ hasFilter, onClear }: { hasFilter: boolean; onClear: () => void }) {
  const strings = useTexts(texts);
  return (
    <div className="nothing" role="status">
      <p>{hasFilter ? strings.noneFit : strings.none}</p>
      {hasFilter && (
        <button type="button" onClick={onClear}>
          {strings.clear}
        </button>
      )}
    </div>
  );
}

/** While the list is paused, new events are counted and not shown. */
function usePausable<E>(events: readonly E[], isPaused: boolean) {
  const [held, setHeld] = useState<readonly E[]>();
  if (isPaused && held === undefined) setHeld(events);
  if (!isPaused && held !== undefined) setHeld(undefined);
  const shown = held ?? events;
  const known = new Set(shown);
  return {
    shown,
    fresh: events.filter((event) => !known.has(event)).length,
    show: () => setHeld((before) => before && events),
  };
}
