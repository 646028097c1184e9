import { Theme, type ThemeProvider } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { createProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';

/** Keycloak's own themes: here they mean the built-in pages. */
const OWN = new Set(['', 'keycloak', 'keycloak.v2', 'keycloak.v3', 'base']);
const MISSING = {
  loginTheme: Symbol('login theme is missing'),
  accountTheme: Symbol('account theme is missing'),
  emailTheme: Symbol('email theme is missing'),
};

/** True if the realm names a plugin's theme, which may have texts in any language. */
export function namesTheme({ settings }: Realm): boolean {
  return (Object.keys(MISSING) as (keyof typeof MISSING)[]).some((key) => !OWN.has(settings[key]));
}

/** The theme plugin that the realm names; undefined for the built-in pages and mails. */
export function themeOf(realm: Realm, session: HostSession, key: keyof typeof MISSING): ThemeProvider | undefined {
  const id = realm.settings[key];
  if (OWN.has(id)) return undefined;
  const { generation } = session;
  const enabled = enabledProvider(generation, realm, Theme, id);
  if (enabled !== undefined) return createProvider(enabled, session);
  // Logged once per realm version instead of on every page.
  generation.derive(realm, MISSING[key], () =>
    session.logger.warn(`${key} not found`, { realm: realm.name, theme: id }),
  );
  return undefined;
}
