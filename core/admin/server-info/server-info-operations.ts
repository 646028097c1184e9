import { ProtocolMapper, Theme } from '@keyhost/spi';
import type { RequestDurations } from '../../http/request-durations.js';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../../keys/algorithms.js';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { Clock } from '../../model/clock.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import { REGISTRATION_POLICY } from '../../model/registration-policies.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { ProviderCalls } from '../../registry/sessions/provider-calls.js';
import { forbiddenError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { SUPPORTED_PROVIDER_TYPES } from '../identity-providers/provider-types.js';
import { type AdminOperation, ok } from '../operation.js';
import { clientPolicyTypes } from './client-policy-types.js';
import { FEATURE_LIST } from './features.js';
import { keyProviderTypes } from './key-provider-types.js';
import { builtInMappers, mapperTypes } from './mapper-types.js';
import { passwordPolicyTypes } from './password-policy-types.js';
import { providerInfo } from './provider-info.js';
import { registrationPolicyTypes } from './registration-policy-types.js';
import { RESOURCE_TYPES } from './resource-types.js';
import { systemInfo } from './system-info.js';
import { validatorTypes } from './validator-types.js';

export interface ServerInfoOperationParts {
  readonly registry: ProviderRegistry;
  readonly clock: Clock;
  readonly requests: Pick<RequestDurations, 'recent'>;
  readonly calls: Pick<ProviderCalls, 'counts'>;
  /** The version of Keyhost. */
  readonly version: string;
  /** When the host started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The languages of the host's own pages. */
  readonly locales: readonly string[];
}

const OIDC = 'openid-connect';
const INSTALLATION = {
  id: 'keycloak-oidc-keycloak-json',
  protocol: OIDC,
  downloadOnly: false,
  displayType: 'Keycloak OIDC JSON',
  helpText: 'keycloak.json file used by the Keycloak OIDC client adapter',
  filename: 'keycloak.json',
  mediaType: 'application/json',
};

/**
 * Empty lists for other protocols. Realms may contain scopes and clients of these, and the admin console reads the list
 * of each protocol.
 */
const OTHER_PROTOCOLS = { saml: [], 'docker-v2': [] };

/**
 * The operations `/admin/serverinfo` and `/admin/{realm}/console/whoami`, which Keycloak's admin console calls first.
 */
export function serverInfoOperations({
  registry,
  clock,
  requests,
  calls,
  version,
  startedAt,
  locales,
}: ServerInfoOperationParts): AdminOperation[] {
  const listThemes = () => {
    // Keyhost's own theme is listed under the names of Keycloak's themes.
    const themesNamed = (...names: string[]) => names.map((name) => ({ name, locales }));
    const pluginThemes = themesNamed(...registry.all(Theme).map(({ id }) => id));
    return {
      login: [...themesNamed('keycloak', 'keycloak.v2'), ...pluginThemes],
      account: [...themesNamed('keycloak.v3'), ...pluginThemes],
      admin: themesNamed('keycloak.v2'),
      email: [...themesNamed('keycloak'), ...pluginThemes],
      welcome: themesNamed('keycloak'),
    };
  };
  return [
    {
      method: 'GET',
      path: '/serverinfo',
      scope: 'server',
      tag: 'Root',
      summary: 'What this host has: providers, component types, mappers, themes, features',
      roles: [],
      answers: { status: 200, body: { type: 'object' } },
      handle({ admin, exchange }) {
        if (!admin.isAdmin) throw forbiddenError();
        const texts = new AdminTexts({ exchange });
        return ok({
          // Only the operator's admins may see details of the process.
          ...(admin.isSuperAdmin
            ? systemInfo({ version, startedAt, now: clock.now(), requests: requests.recent(), calls: calls.counts() })
            : {}),
          profileInfo: { name: 'default', disabledFeatures: [], previewFeatures: [], experimentalFeatures: [] },
          features: FEATURE_LIST,
          cryptoInfo: {
            cryptoProvider: 'node:crypto',
            supportedKeystoreTypes: [],
            clientSignatureSymmetricAlgorithms: SYMMETRIC_ALGORITHMS,
            clientSignatureAsymmetricAlgorithms: ASYMMETRIC_ALGORITHMS,
          },
          themes: listThemes(),
          socialProviders: [],
          identityProviders: SUPPORTED_PROVIDER_TYPES,
          providers: providerInfo(registry, texts),
          protocolMapperTypes: { [OIDC]: mapperTypes(registry, texts), ...OTHER_PROTOCOLS },
          builtinProtocolMappers: { [OIDC]: builtInMappers(), ...OTHER_PROTOCOLS },
          clientInstallations: { [OIDC]: [INSTALLATION], ...OTHER_PROTOCOLS },
          componentTypes: {
            [KEY_PROVIDER]: keyProviderTypes(registry, texts),
            ...clientPolicyTypes(registry, texts),
            [REGISTRATION_POLICY]: registrationPolicyTypes(
              registry,
              { 'protocol-mapper': registry.all(ProtocolMapper).map(({ id }) => id) },
              texts,
            ),
            'org.keycloak.validate.Validator': validatorTypes(registry, texts),
            'org.keycloak.storage.UserStorageProvider': [],
          },
          passwordPolicies: passwordPolicyTypes(registry, texts),
          enums: {
            operationType: ['CREATE', 'UPDATE', 'DELETE', 'ACTION'],
            eventType: EVENT_TYPES,
            resourceType: RESOURCE_TYPES,
          },
        });
      },
    },
    {
      method: 'GET',
      path: '/{realm}/console/whoami',
      scope: 'server',
      tag: 'Root',
      summary: 'The caller, with their roles in the realm',
      roles: [],
      query: { currentRealm: { type: 'string', description: 'Name of the realm that is administered.' } },
      answers: { status: 200, body: { type: 'object' } },
      handle({ admin, query }) {
        if (!admin.isAdmin) throw forbiddenError();
        const { realm } = admin;
        const { user } = admin.tokenAdmin;
        const { firstName, lastName, username } = user.view;
        const names = new Set([realm.name, query.string('currentRealm') ?? realm.name]);
        const rightsIn = (name: string) => [...admin.rolesOver(name), ...(admin.isSuperAdmin ? ['admin'] : [])];
        return ok({
          userId: user.id,
          realm: realm.name,
          locale: localeOf(user.representation.attributes),
          displayName: [firstName, lastName].filter(Boolean).join(' ') || username,
          createRealm: admin.mayCreateRealms,
          realm_access: Object.fromEntries([...names].map((name) => [name, rightsIn(name)])),
          temporary: false,
        });
      },
    },
  ];
}

function localeOf(attributes: Readonly<Record<string, readonly string[]>> | undefined): string {
  return attributes !== undefined && Object.hasOwn(attributes, 'locale') ? (attributes.locale?.[0] ?? 'en') : 'en';
}
