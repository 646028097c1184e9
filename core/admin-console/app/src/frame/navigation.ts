import { encodeSegment } from '../address.ts';
import type { Messages } from '../messages/en.ts';
import { session } from '../session/session.ts';

export type PageName = keyof Messages['pages'];

export interface PageLink {
  readonly name: PageName;
  readonly href: string;
}

const HOST_PAGES: readonly PageLink[] = [
  { name: 'plugins', href: '/plugins' },
  { name: 'realmFiles', href: '/files' },
];

/** The side bar's pages about the host. @param isAdmin true for a user with `admin` in master */
export function hostPages(isAdmin: boolean): readonly PageLink[] {
  return [{ name: 'overview', href: '/' }, ...(isAdmin ? HOST_PAGES : [])];
}

/** Returns true if the user has a role in the realm. */
type Can = (role: string) => boolean;

/** A page of a realm. */
export interface RealmPageLink extends PageLink {
  /** True if the user may see what the page shows. */
  readonly mayOpen: (can: Can) => boolean;
}

export interface RealmPageGroup {
  readonly name: keyof Messages['frame']['groups'];
  readonly links: readonly RealmPageLink[];
}

/** The realm's pages, in the order and groups of the side bar. */
export function realmPageGroups(realm: string): readonly RealmPageGroup[] {
  const basePath = `/realms/${encodeSegment(realm)}`;
  const link = (name: PageName, path: string, mayOpen: (can: Can) => boolean): RealmPageLink => ({
    name,
    href: `${basePath}/${path}`,
    mayOpen,
  });
  const withAny =
    (...roles: readonly string[]) =>
    (can: Can) =>
      roles.some(can);
  const viewsRealm = withAny('view-realm');
  return [
    {
      name: 'people',
      links: [
        link('users', 'users', withAny('view-users', 'query-users')),
        link('groups', 'groups', withAny('view-users', 'query-groups')),
        link('roles', 'roles', withAny('view-realm', 'manage-identity-providers')),
        link('administrators', 'administrators', withAny('view-users')),
        link('sessions', 'sessions', (can) => can('view-realm') && can('view-users')),
      ],
    },
    {
      name: 'apps',
      links: [
        link('clients', 'clients', withAny('view-clients', 'query-clients')),
        link('clientScopes', 'client-scopes', withAny('view-clients', 'query-clients')),
      ],
    },
    {
      name: 'signIn',
      links: [
        link('identityProviders', 'identity-providers', withAny('view-identity-providers')),
        link('actionTokens', 'action-tokens', withAny('view-users')),
      ],
    },
    { name: 'activity', links: [link('events', 'events', withAny('view-events'))] },
    {
      name: 'configuration',
      links: [
        link('realmSettings', 'settings', viewsRealm),
        link('keys', 'keys', viewsRealm),
        link('providers', 'providers', viewsRealm),
        ...(session.realm === 'master' ? [link('realmFile', 'file', withAny('admin'))] : []),
      ],
    },
  ];
}

export function realmPages(realm: string): readonly RealmPageLink[] {
  return realmPageGroups(realm).flatMap(({ links }) => links);
}

export function pluginPagePath(realm: string, provider: string): string {
  return `/realms/${encodeSegment(realm)}/pages/${encodeSegment(provider)}`;
}

/** The wizard that creates a client. */
export const WIZARD = /^(\/realms\/[^/]+)\/connect$/;

/** True if the page is that of the link, or below it. */
export function isAt(path: string, href: string): boolean {
  if (WIZARD.test(path)) return path.replace(WIZARD, '$1/clients') === href;
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}
