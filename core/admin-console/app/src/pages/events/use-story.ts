import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AdminEvent, eventsOf, type UserEvent } from '../../api/events.ts';

/** The number of events of a page. */
const PAGE_SIZE = 25;

/** An event of the user, or a change of the user by an admin. */
export type StoryEvent =
  | { readonly kind: 'user'; readonly event: UserEvent }
  | { readonly kind: 'admin'; readonly event: AdminEvent };

/**
 * The events of one user and the changes of this user by admins, in one order, newest first.
 * @param until the time of the newest event, in milliseconds; undefined for all
 */
export function useStory(realm: string, userId: string, until: number | undefined) {
  const page = { max: PAGE_SIZE + 1, dateTo: until };
  const own = useQuery({
    ...eventsOf(realm, 'user', { ...page, user: userId }),
    placeholderData: keepPreviousData,
  });
  const changes = useQuery({
    ...eventsOf(realm, 'admin', { ...page, resourcePath: `users/${userId}*` }),
    placeholderData: keepPreviousData,
  });
  const failed = [own, changes].find(({ error }) => error !== null);
  return { failed, isPending: own.isPending || changes.isPending, ...merged(own.data ?? [], changes.data ?? []) };
}

/**
 * One page of both lists. Each list has a page of its own, so the first events of the two are the first of all.
 * @returns the time from which the next page continues; undefined if there is none
 */
export function merged(
  own: readonly UserEvent[],
  changes: readonly AdminEvent[],
): { readonly events: readonly StoryEvent[]; readonly next: number | undefined } {
  const all: StoryEvent[] = [
    ...own.map((event) => ({ kind: 'user' as const, event })),
    ...changes.map((event) => ({ kind: 'admin' as const, event })),
  ];
  all.sort((a, b) => b.event.time - a.event.time || (a.event.id < b.event.id ? 1 : -1));
  const events = all.slice(0, PAGE_SIZE);
  return { events, next: all.length > PAGE_SIZE ? nextTime(events) : undefined };
}

/** The next page begins with the last time of this one, as several events can have one time. */
function nextTime(events: readonly StoryEvent[]): number | undefined {
  const first = events[0]?.event.time;
  const last = events.at(-1)?.event.time;
  return last === undefined || last < (first ?? last) ? last : last - 1;
}
