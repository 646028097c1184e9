import { Theme, type ThemeProvider } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { createProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';

/** Names of Keycloak's own themes. They mean the built-in pages here. */
const BUILT_IN_THEMES = new Set(['', 'keycloak', 'keycloak.v2', 'keycloak.v3', 'base']);
const WARNED_KEYS = {
  loginTheme: Symbol('login theme is missing'),
  accountTheme: Symbol('account theme is missing'),
  emailTheme: Symbol('email theme is missing'),
};

/** True if one of the realm's themes is a plugin, which may have texts in any language. */
export function usesThemePlugin({ settings }: Realm): boolean {
  return (Object.keys(WARNED_KEYS) as (keyof typeof WARNED_KEYS)[]).some((key) => !BUILT_IN_THEMES.has(settings[key]));
}

/**
 * Returns the theme plugin that the realm names. It is undefined if the realm uses the built-in pages and mails, or if
 * the plugin is missing or disabled.
 */
export function themeOf(realm: Realm, session: HostSession, key: keyof typeof WARNED_KEYS): ThemeProvider | undefined {
  const id = realm.settings[key];
  if (BUILT_IN_THEMES.has(id)) return undefined;
  const { generation } = session;
  const enabled = enabledProvider(generation, realm, Theme, id);
  if (enabled !== undefined) return createProvider(enabled, session);
  // Logged once per realm version instead of on every page.
  generation.derive(realm, WARNED_KEYS[key], () =>
    session.logger.warn(`${key} not found`, { realm: realm.name, theme: id }),
  );
  return undefined;
}
