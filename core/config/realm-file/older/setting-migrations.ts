import { PROFILE_CONFIG, USER_PROFILES } from '../../../model/user-profile.js';
import type { MigratingRealm, Migration } from './migration.js';

/** Changes that releases of Keycloak made to settings of the realm. */
export const SETTING_MIGRATIONS: readonly Migration[] = [
  { release: '3.1.0', migrate: (migrating) => setHeader(migrating, 'xRobotsTag', 'none') },
  { release: '3.2.0', migrate: removeOldIterations },
  {
    release: '3.4.0',
    migrate: (migrating) => setHeader(migrating, 'strictTransportSecurity', 'max-age=31536000; includeSubDomains'),
  },
  {
    release: '21.0.0',
    migrate: (migrating) => replaceTheme(migrating, 'adminTheme', ['keycloak', 'rh-sso'], 'keycloak.v2'),
  },
  { release: '22.0.0', migrate: replaceOldThemes },
  { release: '23.0.0', migrate: joinUserProfile },
  { release: '24.0.0', migrate: allowUndeclaredAttributes },
];

function setHeader(migrating: MigratingRealm, name: string, value: string): void {
  const headers = migrating.realm.browserSecurityHeaders as Record<string, string> | undefined;
  if (headers === undefined || headers[name] === value) return;
  headers[name] = value;
  migrating.recordConversion(['browserSecurityHeaders'], `${name} is "${value}"`);
}

/** Removes the former default number of hash iterations, unless the policy names its algorithm. */
function removeOldIterations(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const terms = realm.passwordPolicy?.split(' and ').map((term) => term.trim()) ?? [];
  const isOld = terms.includes('hashIterations(20000)') && !terms.some((term) => term.startsWith('hashAlgorithm('));
  if (!isOld) return;
  const otherTerms = terms.filter((term) => term !== 'hashIterations(20000)');
  if (otherTerms.length > 0) realm.passwordPolicy = otherTerms.join(' and ');
  else delete realm.passwordPolicy;
  migrating.recordConversion(['passwordPolicy'], 'hashIterations(20000) is removed');
}

type Theme = 'adminTheme' | 'accountTheme' | 'loginTheme' | 'emailTheme';

function replaceTheme(migrating: MigratingRealm, key: Theme, old: readonly string[], theme?: string): void {
  const before = migrating.realm[key];
  if (typeof before !== 'string' || !old.includes(before)) return;
  if (theme === undefined) delete migrating.realm[key];
  else migrating.realm[key] = theme;
  migrating.recordConversion(
    [key],
    theme === undefined ? `the theme "${before}" is removed` : `the theme is "${theme}"`,
  );
}

function replaceOldThemes(migrating: MigratingRealm): void {
  replaceTheme(migrating, 'accountTheme', ['keycloak', 'rh-sso', 'rh-sso.v2'], 'keycloak.v2');
  replaceTheme(migrating, 'emailTheme', ['rh-sso']);
  replaceTheme(migrating, 'loginTheme', ['rh-sso']);
  for (const [index, { attributes }] of (migrating.realm.clients ?? []).entries()) {
    if (attributes?.login_theme !== 'rh-sso') continue;
    delete attributes.login_theme;
    migrating.recordConversion(['clients', index, 'attributes'], 'the theme "rh-sso" is removed');
  }
}

const PROFILE_ENABLED = 'userProfileEnabled';
const PIECE_COUNT = 'config-pieces-count';

function isProfileEnabled({ realm }: MigratingRealm): boolean {
  return realm.attributes?.[PROFILE_ENABLED]?.toLowerCase() === 'true';
}

/** Joins the pieces in which a user profile was stored. */
function joinUserProfile(migrating: MigratingRealm): void {
  const { components } = migrating.realm;
  const [profile, ...others] = components?.[USER_PROFILES] ?? [];
  if (!isProfileEnabled(migrating) || components === undefined || profile === undefined) return;
  const count = Number(profile.config?.[PIECE_COUNT]?.[0] ?? 0);
  if (!Number.isSafeInteger(count) || count < 1) {
    if (profile.config?.[PROFILE_CONFIG] !== undefined) return;
    components[USER_PROFILES] = others;
    return;
  }
  const { [PIECE_COUNT]: _, ...otherConfig } = profile.config ?? {};
  const pieces: string[] = [];
  for (const [key, [piece = ''] = []] of Object.entries(otherConfig)) {
    const index = /^config-piece-(\d{1,4})$/.exec(key)?.[1];
    if (index === undefined) continue;
    if (Number(index) < count) pieces[Number(index)] = piece;
    delete otherConfig[key];
  }
  profile.config = { ...otherConfig, [PROFILE_CONFIG]: [pieces.join('')] };
  migrating.recordConversion(
    ['components', USER_PROFILES, 0, 'config'],
    `the pieces of the user profile are one ${PROFILE_CONFIG}`,
  );
}

/** Allows undeclared attributes if the user profile was not enabled: users could then have attributes of any name. */
function allowUndeclaredAttributes(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const isEnabled = isProfileEnabled(migrating);
  if (realm.attributes !== undefined) delete realm.attributes[PROFILE_ENABLED];
  const config = realm.components?.[USER_PROFILES]?.[0]?.config;
  const text = config?.[PROFILE_CONFIG]?.[0];
  // A realm without a profile accepts any attribute.
  if (isEnabled || config === undefined || text === undefined) return;
  let profile: unknown;
  try {
    profile = JSON.parse(text);
  } catch {
    // The checks of user profiles report it.
    return;
  }
  if (typeof profile !== 'object' || profile === null) return;
  config[PROFILE_CONFIG] = [JSON.stringify({ ...profile, unmanagedAttributePolicy: 'ENABLED' })];
  migrating.recordConversion(['components', USER_PROFILES, 0, 'config'], 'unmanagedAttributePolicy is ENABLED');
}
