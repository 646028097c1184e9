import {
  ClientRegistrationPolicy,
  type ClientRegistrationPolicyProvider,
  type Described,
  KeyProvider,
  type Spi,
} from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { KEY_PROVIDER, KEY_PROVIDER_IDS } from '../../keys/component-key.js';
import { REGISTRATION_POLICY } from '../../model/registration-policies.js';
import type { Providers } from '../../registry/generations/generation.js';
import { AdminError } from '../admin.js';

const USER_PROFILE = 'org.keycloak.userprofile.UserProfileProvider';

/** An SPI whose providers components configure. A provider may validate the settings by `checkConfig`. */
export type ComponentSpi = Spi<Described, Pick<ClientRegistrationPolicyProvider, 'checkConfig'>>;

/** The SPIs that realms use as components, by component type. */
const COMPONENT_SPIS: ReadonlyMap<string, ComponentSpi> = new Map([
  [KEY_PROVIDER, KeyProvider as ComponentSpi],
  [REGISTRATION_POLICY, ClientRegistrationPolicy as ComponentSpi],
]);

/** The SPI of a component type; undefined if plugins cannot provide it. */
export function componentSpi(type: string): ComponentSpi | undefined {
  return COMPONENT_SPIS.get(type);
}

/** The providers of each component type that Keycloak 26.7 accepts from an admin. */
const KEYCLOAK_PROVIDER_IDS: Readonly<Record<string, readonly string[]>> = {
  [KEY_PROVIDER]: KEY_PROVIDER_IDS,
  [USER_PROFILE]: ['declarative-user-profile'],
  'org.keycloak.storage.UserStorageProvider': ['kerberos', 'ldap'],
  'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': [
    'certificate-ldap-mapper',
    'full-name-ldap-mapper',
    'group-ldap-mapper',
    'hardcoded-attribute-mapper',
    'hardcoded-ldap-attribute-mapper',
    'hardcoded-ldap-group-mapper',
    'hardcoded-ldap-role-mapper',
    'kerberos-principal-attribute-mapper',
    'msad-lds-user-account-control-mapper',
    'msad-user-account-control-mapper',
    'role-ldap-mapper',
    'user-attribute-ldap-mapper',
  ],
};

/**
 * Checks that a component's type and provider are known, and returns them.
 * @throws AdminError 400 with Keycloak's text, for types and providers that Keycloak rejects too
 */
export function requireKnownProvider(
  providers: Pick<Providers, 'all'>,
  type: string | null | undefined,
  providerId: string | null | undefined,
): { type: string; providerId: string } {
  const keycloakIds = type && Object.hasOwn(KEYCLOAK_PROVIDER_IDS, type) ? (KEYCLOAK_PROVIDER_IDS[type] ?? []) : [];
  const spi = type ? COMPONENT_SPIS.get(type) : undefined;
  const knownIds = spi === undefined ? keycloakIds : [...keycloakIds, ...providers.all(spi).map(({ id }) => id)];
  if (type && providerId && knownIds.includes(providerId)) return { type, providerId };
  const suggestion = providerId ? didYouMean(providerId, knownIds) : undefined;
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  throw new AdminError(400, { error: `Invalid provider type or no such provider${hint}` });
}

/**
 * The member to report as ignored: `providerType` if components of the type have no effect here, `parentId` for a key
 * inside another component. Undefined if the component has an effect.
 */
export function memberWithoutEffect(type: string, isParentRealm: boolean): string | undefined {
  if (type === USER_PROFILE || type === REGISTRATION_POLICY) return undefined;
  if (type !== KEY_PROVIDER) return 'providerType';
  return isParentRealm ? undefined : 'parentId';
}
