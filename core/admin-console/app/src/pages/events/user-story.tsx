import { encodeSegment } from '../../address.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Time } from '../../parts/time.tsx';
import { adminEventCode, EventLink, userEventCode } from './event-link.tsx';
import { texts } from './texts.ts';
import { useAdminSentences, useUserSentences } from './use-sentences.ts';
import { type StoryEvent, useStory } from './use-story.ts';

/** All events of one user, and the changes of this user by admins, newest first. */
export function UserStory({ realm, id }: { realm: string; id: string }) {
  const strings = useTexts(texts);
  const { loading } = useMessages();
  const { get, set } = useListState();
  const until = Number(get('until')) || undefined;
  const { events, next, isPending, failed } = useStory(realm, id, until);
  return (
    <section>
      {failed?.error && <FailureNotice failure={failed.error} onRetry={() => void failed.refetch()} />}
      {isPending && (
        <p className="loading" role="status">
          {loading}
        </p>
      )}
      {!isPending && failed === undefined && events.length === 0 && <p className="nothing">{strings.noStory}</p>}
      {events.length > 0 && <StoryRows realm={realm} events={events} />}
      {(next !== undefined || until !== undefined) && (
        <nav className="pager" aria-label={strings.storyPages}>
          <button type="button" disabled={until === undefined} onClick={() => set({ until: '' })}>
            {strings.newest}
          </button>
          <button
            type="button"
            disabled={next === undefined}
            onClick={() => next !== undefined && set({ until: next })}
          >
            {strings.older}
          </button>
        </nav>
      )}
    </section>
  );
}

function StoryRows({ realm, events }: { realm: string; events: readonly StoryEvent[] }) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const basePath = `/realms/${encodeSegment(realm)}/events`;
  const { sentenceOf } = useUserSentences(
    realm,
    events.flatMap((one) => (one.kind === 'user' ? [one.event] : [])),
  );
  const adminSentenceOf = useAdminSentences(
    realm,
    events.flatMap((one) => (one.kind === 'admin' ? [one.event] : [])),
  );
  const columns: readonly Column<StoryEvent>[] = [
    {
      title: strings.event,
      show: (one) =>
        one.kind === 'user' ? (
          <EventLink
            href={`${basePath}/${encodeSegment(one.event.id)}`}
            sentence={sentenceOf(one.event)}
            code={userEventCode(one.event)}
            isFailure={one.event.error !== undefined}
          />
        ) : (
          <EventLink
            href={`${basePath}/admin/${encodeSegment(one.event.id)}`}
            sentence={adminSentenceOf(one.event)}
            code={adminEventCode(one.event)}
            path={one.event.resourcePath}
            isFailure={one.event.error !== undefined}
          />
        ),
    },
    { title: strings.time, show: ({ event }) => <Time at={event.time} /> },
    {
      title: strings.address,
      isMinor: true,
      show: (one) => (one.kind === 'user' ? one.event.ipAddress : one.event.authDetails.ipAddress) ?? none,
    },
  ];
  return <DataTable caption={strings.storyCaption} columns={columns} rows={events} keyOf={({ event }) => event.id} />;
}
