import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { type EventKind, type EventOf, eventsOf } from '../../api/events.ts';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import type { EventRowsProps } from '../events/event-table.tsx';
import { texts } from './texts.ts';

const MAX_SHOWN = 5;

/** The newest events that share a property with an event, and a link to the list of all of them. */
export function RelatedEventList<K extends EventKind>(props: {
  realm: string;
  kind: K;
  /** The ID of that event, which is left out. */
  id: string;
  title: string;
  /** The query of the API, which is also that of the list's address. */
  filter: Readonly<Record<string, string>>;
  /** The path of the list. */
  path: string;
  Rows: ComponentType<EventRowsProps<EventOf[K]>>;
}) {
  const { realm, kind, id, title, filter, path, Rows } = props;
  const strings = useTexts(texts);
  const query = useQuery(eventsOf(realm, kind, { ...filter, max: MAX_SHOWN + 2 }));
  return (
    <section>
      <h2>{title}</h2>
      <QueryResult query={query}>
        {(found) => {
          const others = found.filter((event) => event.id !== id) as readonly EventOf[K][];
          if (others.length === 0) return <p className="nothing">{strings.alone}</p>;
          return (
            <>
              <Rows realm={realm} caption={title} rows={others.slice(0, MAX_SHOWN)} />
              {others.length > MAX_SHOWN && (
                <p className="related-all">
                  <Link href={`${path}?${new URLSearchParams(filter)}`} aria-label={`${strings.all}: ${title}`}>
                    {strings.all}
                  </Link>
                </p>
              )}
            </>
          );
        }}
      </QueryResult>
    </section>
  );
}
