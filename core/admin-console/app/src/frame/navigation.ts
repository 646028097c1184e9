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

/** The side bar's pages about the host. @param isHost true for users of master */
export function hostPages(isHost: boolean): readonly PageLink[] {
  return [{ name: 'overview', href: '/' }, ...(isHost ? HOST_PAGES : [])];
}

export function realmPages(realm: string): readonly PageLink[] {
  const basePath = `/realms/${encodeSegment(realm)}`;
  return [
    { name: 'providers', href: `${basePath}/providers` },
    { name: 'users', href: `${basePath}/users` },
    { name: 'clients', href: `${basePath}/clients` },
    { name: 'roles', href: `${basePath}/roles` },
    { name: 'groups', href: `${basePath}/groups` },
    { name: 'administrators', href: `${basePath}/administrators` },
    { name: 'identityProviders', href: `${basePath}/identity-providers` },
    { name: 'sessions', href: `${basePath}/sessions` },
    { name: 'actionTokens', href: `${basePath}/action-tokens` },
    ...(session.realm === 'master' ? [{ name: 'realmFile' as const, href: `${basePath}/file` }] : []),
    { name: 'events', href: `${basePath}/events` },
    { name: 'keys', href: `${basePath}/keys` },
    { name: 'realmSettings', href: `${basePath}/settings` },
  ];
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
