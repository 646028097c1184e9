import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useUserNames } from '../../api/names.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { EventsNotStored } from './events-not-stored.tsx';
import { texts } from './texts.ts';
import { UserStory } from './user-story.tsx';

/** All events of one user. */
export default function UserStoryPage({ realm, id }: { realm: string; id: string }) {
  const strings = useTexts(texts);
  const name = useUserNames(realm, [id]).get(id) ?? id;
  const basePath = `/realms/${encodeSegment(realm)}`;
  return (
    <Page
      title={strings.storyTitle(name)}
      lead={
        <>
          {strings.storyLead} <Link href={`${basePath}/users/${encodeSegment(id)}`}>{strings.toUser(name)}</Link>
          {' · '}
          <Link href={`${basePath}/events/admin?authUser=${encodeSegment(id)}`}>{strings.changesBy(name)}</Link>
        </>
      }
    >
      <EventsNotStored realm={realm} kind="user" />
      <EventsNotStored realm={realm} kind="admin" />
      <UserStory realm={realm} id={id} />
    </Page>
  );
}
