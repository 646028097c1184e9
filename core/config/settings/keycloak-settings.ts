import { CLIENTS } from './client-settings.js';
import { COMPONENTS } from './component-settings.js';
import { IDENTITY_PROVIDERS } from './identity-provider-settings.js';
import { LOGINS } from './login-settings.js';
import { MAPPERS } from './mapper-settings.js';
import { POLICIES } from './policy-settings.js';
import { REALM } from './realm-settings.js';
import type { Settings } from './setting-state.js';
import { USERS } from './user-settings.js';

/**
 * Every setting of Keycloak 26.7 with its state, by kind of owner. A kind is a representation (`Realm`), its attributes
 * (`client attribute`), or a provider with its type (`ProtocolMapper oidc-sub-mapper`).
 */
export const KEYCLOAK_SETTINGS: Readonly<Record<string, Settings>> = {
  Realm: REALM,
  ...CLIENTS,
  ...USERS,
  ...LOGINS,
  ...POLICIES,
  ...IDENTITY_PROVIDERS,
  ...COMPONENTS,
  ...MAPPERS,
};
