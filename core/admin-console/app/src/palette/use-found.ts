import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { encodeSegment } from '../address.ts';
import { ApiFailure } from '../api/failure.ts';
import { findClients, findIdentityProviders, findUsers } from '../api/find.ts';
import { pluginPages, textIn } from '../api/plugin-pages.ts';
import { realmNames } from '../api/realms.ts';
import { useRights } from '../api/rights.ts';
import { useIsHostAdmin } from '../api/who.ts';
import { hostPages, realmPages } from '../frame/navigation.ts';
import { inRealm } from '../frame/shown-realm.ts';
import { useLanguage, useTexts } from '../messages/language.tsx';
import { formatRoles } from '../parts/format-roles.ts';
import { findGuides } from './help.ts';
import { findSettings } from './settings.ts';
import { texts } from './texts.ts';

/** The maximum number of results in each group but those of pages. */
const MAX = 6;
/** The number of characters from which settings and guides are found. */
const MIN_TYPED = 2;

export interface Found {
  readonly href: string;
  readonly label: string;
  readonly note?: string | undefined;
  /** True for an address outside of the admin console, which opens in a new tab. */
  readonly isExternal?: true;
}

export interface FoundGroup {
  readonly name: keyof (typeof texts)['en']['groups'];
  readonly items: readonly Found[];
  /** The reason why the host's search failed. */
  readonly failure?: string | undefined;
}

/**
 * Finds the targets of a text: pages, settings and guides by name at once, everything else by a search on the host.
 * @param search the text after the user stopped typing
 * @returns `isBusy` is true while the host's results may be those of an earlier text
 */
export function useFound(
  realm: string,
  typed: string,
  search: string,
): { groups: readonly FoundGroup[]; isBusy: boolean } {
  const strings = useTexts(texts);
  const { messages, language } = useLanguage();
  const [path] = useLocation();
  const plugins = useQuery(pluginPages(realm));
  const realms = useQuery({ ...realmNames(search, 0, MAX), enabled: search !== '' });
  const users = useQuery(findUsers(realm, search, MAX));
  const clients = useQuery(findClients(realm, search, MAX));
  const can = useRights(realm);
  const isHostAdmin = useIsHostAdmin();
  const mayFindProviders = can('view-identity-providers');
  const providers = useQuery({
    ...findIdentityProviders(realm, search, MAX),
    enabled: search !== '' && mayFindProviders,
  });
  const basePath = `/realms/${encodeSegment(realm)}`;
  const lowerCase = typed.toLowerCase();
  const matchesText = ({ label }: Found) => label.toLowerCase().includes(lowerCase);
  const hostItems = hostPages(isHostAdmin).map(({ name, href }) => ({
    href,
    label: messages.pages[name],
  }));
  const ownPages = realmPages(realm)
    .filter(({ mayOpen }) => mayOpen(can))
    .map(({ name, href }) => ({ href, label: messages.pages[name], note: realm }));
  const settings =
    typed.length >= MIN_TYPED && can('view-realm')
      ? findSettings(realm, lowerCase, language)
          .slice(0, MAX)
          .map(({ href, label, section }) => ({ href, label, note: section }))
      : [];
  const guides =
    typed.length >= MIN_TYPED
      ? findGuides(lowerCase, language)
          .slice(0, MAX)
          .map((guide) => ({ ...guide, note: '↗', isExternal: true as const }))
      : [];
  const pluginItems = (plugins.data ?? [])
    .filter(({ page }) => page.at === 'realm')
    .map(({ provider, page, plugin }) => ({
      href: `${basePath}/pages/${encodeSegment(provider)}`,
      label: textIn(page.title, language),
      note: plugin.name,
    }));
  const failureOf = (name: FoundGroup['name'], { error }: { error: Error | null }) => {
    if (error === null) return undefined;
    const isForbidden = error instanceof ApiFailure && error.kind === 'forbidden';
    return isForbidden
      ? strings.forbidden(strings.groups[name], formatRoles(error.roles, language))
      : strings.failed(strings.groups[name]);
  };
  const groups: readonly FoundGroup[] = [
    { name: 'pages', items: [...hostItems, ...ownPages].filter(matchesText) },
    { name: 'plugins', items: pluginItems.filter(matchesText), failure: failureOf('plugins', plugins) },
    { name: 'settings', items: settings },
    { name: 'help', items: guides },
    {
      name: 'realms',
      items: foundItems(realms.data, ({ name, displayName }) => ({
        href: inRealm(path, name),
        label: name,
        note: displayName === name ? undefined : displayName,
      })),
      failure: failureOf('realms', realms),
    },
    {
      name: 'users',
      items: foundItems(users.data, ({ id, username, email, firstName, lastName }) => ({
        href: `${basePath}/users/${encodeSegment(id)}`,
        label: username,
        note: [firstName, lastName].filter(Boolean).join(' ') || email,
      })),
      failure: failureOf('users', users),
    },
    {
      name: 'clients',
      items: foundItems(clients.data, ({ id, clientId }) => ({
        href: `${basePath}/clients/${encodeSegment(id)}`,
        label: clientId,
      })),
      failure: failureOf('clients', clients),
    },
    {
      name: 'identityProviders',
      items: foundItems(providers.data, ({ alias, displayName }) => ({
        href: `${basePath}/identity-providers/${encodeSegment(alias)}`,
        label: alias,
        note: displayName,
      })),
      failure: failureOf('identityProviders', providers),
    },
  ];

  function foundItems<T>(all: readonly T[] | undefined, show: (one: T) => Found): readonly Found[] {
    return search === '' ? [] : (all ?? []).slice(0, MAX).map(show);
  }

  return {
    groups,
    isBusy: typed !== search || [realms, users, clients, providers].some(({ isFetching }) => isFetching),
  };
}
