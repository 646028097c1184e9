import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { Tagged } from '../../api/request.ts';
import { useRights } from '../../api/rights.ts';
import { oneUser, removeUser, type User, userKey } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { Time } from '../../parts/time.tsx';
import { StoryLink } from '../events/story-link.tsx';
import { PagesAt } from '../plugin-page/pages-at.tsx';
import { Credentials } from './credentials.tsx';
import { Impersonate } from './impersonate.tsx';
import { Profile } from './profile.tsx';
import { RequiredActions } from './required-actions.tsx';
import { texts as userTexts } from './texts.ts';
import { UserLinks } from './user-links.tsx';
import { UserRoles } from './user-roles.tsx';
import { UserSessions } from './user-sessions.tsx';

/** The properties of each part of the page. */
export interface UserSectionProps {
  readonly realm: string;
  readonly user: User;
  readonly tag: string | undefined;
}

export default function UserPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(userTexts);
  const query = useQuery(oneUser(realm, id));
  const back = <Link href={`/realms/${encodeSegment(realm)}/users`}>{texts.back}</Link>;
  return (
    <Page title={query.data?.body.username ?? id} lead={back}>
      <QueryResult query={query}>{(tagged) => <Sections realm={realm} tagged={tagged} />}</QueryResult>
    </Page>
  );
}

function Sections({ realm, tagged: { body: user, tag } }: { realm: string; tagged: Tagged<User> }) {
  const texts = useTexts(userTexts);
  const { none } = useMessages();
  const can = useRights(realm);
  const props = { realm, user, tag };
  return (
    <>
      <div className="page-line">
        {user.enabled ? <Badge tone="good">{texts.enabled}</Badge> : <Badge tone="neutral">{texts.disabled}</Badge>}
        {user.access.impersonate && <Impersonate {...props} />}
        {user.access.manage && (
          <RemoveButton
            name={user.username}
            texts={texts}
            list={`/realms/${encodeSegment(realm)}/users`}
            keys={{ one: userKey(realm, user.id), lists: ['realm', realm, 'users', 'list'] }}
            onRemove={() => removeUser(realm, user.id, tag)}
          />
        )}
      </div>
      {!user.access.manage && <p className="notice">{texts.readOnly}</p>}
      <Facts
        facts={[
          [texts.id, <code key="id">{user.id}</code>],
          [texts.created, user.createdTimestamp === undefined ? none : <Time key="at" at={user.createdTimestamp} />],
          ...(can('view-events')
            ? [[texts.events, <StoryLink key="events" realm={realm} id={user.id} />] as const]
            : []),
        ]}
      />
      <Profile {...props} />
      <RequiredActions {...props} />
      <Credentials {...props} />
      <UserRoles {...props} />
      <UserSessions {...props} />
      <UserLinks {...props} />
      <PagesAt realm={realm} place={{ at: 'user', subject: user.id }} />
    </>
  );
}
