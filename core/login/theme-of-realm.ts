import { Theme, type ThemeProvider } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { createProvider, enabledProvider } from '../registry/realm-providers.js';
import type { HostSession } from '../registry/session.js';

/** Keycloak's own themes: here they mean the host's pages. */
const OWN = new Set(['', 'keycloak', 'keycloak.v2', 'keycloak.v3', 'base']);
const MISSING = Symbol('login theme is missing');

/** The theme plugin that the realm's `loginTheme` names; undefined where the host's own pages are meant. */
export function themeOf(realm: Realm, session: HostSession): ThemeProvider | undefined {
  const id = realm.representation.loginTheme ?? '';
  if (OWN.has(id)) return undefined;
  const { providers } = session;
  const enabled = enabledProvider(providers, realm, Theme, id);
  if (enabled !== undefined) return createProvider(enabled, session);
  // Told once per version of the realm, not on every page.
  providers.derive(realm, MISSING, () =>
    session.logger.warn('there is no such login theme', { realm: realm.name, theme: id }),
  );
  return undefined;
}
