import { segment } from '../address.ts';
import type { Messages } from '../messages/en.ts';

export type PageName = keyof Messages['pages'];

export interface PageLink {
  readonly name: PageName;
  readonly href: string;
}

/** The side bar's pages of the host. @param isHost true for who is signed in to master */
export function hostPages(isHost: boolean): readonly PageLink[] {
  return [{ name: 'overview', href: '/' }, ...(isHost ? [{ name: 'plugins' as const, href: '/plugins' }] : [])];
}

export function realmPages(realm: string): readonly PageLink[] {
  const at = `/realms/${segment(realm)}`;
  return [
    { name: 'providers', href: `${at}/providers` },
    { name: 'users', href: `${at}/users` },
    { name: 'clients', href: `${at}/clients` },
    { name: 'sessions', href: `${at}/sessions` },
    { name: 'events', href: `${at}/events` },
  ];
}

/** True where the page is that of the link, or stands below it. */
export function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}
