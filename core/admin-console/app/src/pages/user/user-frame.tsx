import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { oneUser, removeUser, type User, userKey } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { Impersonate } from './impersonate.tsx';
import { texts as userTexts } from './texts.ts';

/** The properties of each part of a user's pages. */
export interface UserSectionProps {
  readonly realm: string;
  readonly user: User;
  readonly tag: string | undefined;
}

/** The pages of one user, in their order. */
const TABS = ['profile', 'sign-in', 'roles', 'groups', 'sessions', 'linked-accounts', 'activity', 'links'] as const;
export type UserTab = (typeof TABS)[number];

/** A page of a user: its name and state, links to its other pages, and what the page leaves out. */
export function UserFrame(props: {
  realm: string;
  id: string;
  tab: UserTab;
  children: (props: UserSectionProps) => ReactNode;
}) {
  const { realm, id, tab, children } = props;
  const texts = useTexts(userTexts);
  const query = useQuery(oneUser(realm, id));
  const back = <Link href={`/realms/${encodeSegment(realm)}/users`}>{texts.back}</Link>;
  return (
    <Page title={query.data?.body.username ?? id} lead={back}>
      <QueryResult query={query}>
        {({ body: user, tag }) => (
          <>
            <UserLine realm={realm} user={user} tag={tag} />
            <Tabs realm={realm} user={user} tab={tab} />
            {!user.access.manage && <p className="notice">{texts.readOnly}</p>}
            <p className="help">{texts.scopes[tab]}</p>
            {children({ realm, user, tag })}
          </>
        )}
      </QueryResult>
    </Page>
  );
}

/** The user's state, and what can be done with the user as a whole. */
function UserLine(props: UserSectionProps) {
  const { realm, user, tag } = props;
  const texts = useTexts(userTexts);
  return (
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
  );
}

function Tabs({ realm, user, tab }: { realm: string; user: User; tab: UserTab }) {
  const { tabs, tabsOf } = useTexts(userTexts);
  return (
    <nav className="tabs" aria-label={tabsOf(user.username)}>
      {TABS.map((one) => (
        <Link key={one} href={userHref(realm, user.id, one)} aria-current={one === tab ? 'page' : undefined}>
          {tabs[one]}
        </Link>
      ))}
    </nav>
  );
}

/** The path of a user's page. */
export function userHref(realm: string, id: string, tab: UserTab): string {
  const basePath = `/realms/${encodeSegment(realm)}/users/${encodeSegment(id)}`;
  return tab === 'profile' ? basePath : `${basePath}/${tab}`;
}
