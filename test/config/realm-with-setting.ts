import type { RealmRepresentation } from '../../core/model/representation.js';

/** The required settings of an identity provider. */
const ADDRESSES = {
  clientId: 'c',
  clientSecret: 's',
  authorizationUrl: 'https://idp.example.test/auth',
  tokenUrl: 'https://idp.example.test/token',
};

/** A realm with a setting of Keycloak at its place. @param kind its kind in the ledger */
export function realmWith(kind: string, name: string, value: unknown): RealmRepresentation {
  const set = { [name]: value };
  const [type = '', id = ''] = kind.split(' ');
  const validations = JSON.stringify({ attributes: [{ name: 'a', validations: { [id]: set } }] });
  const PROFILE = 'org.keycloak.userprofile.UserProfileProvider';
  const places: Readonly<Record<string, object>> = {
    Realm: set,
    'realm attribute': { attributes: set },
    Client: { clients: [{ clientId: 'c', ...set }] },
    'client attribute': { clients: [{ clientId: 'c', attributes: set }] },
    'client scope attribute': { clientScopes: [{ name: 's', attributes: set }] },
    Role: { roles: { realm: [{ name: 'r', ...set }] } },
    User: { users: [{ username: 'u', ...set }] },
    Credential: { users: [{ username: 'u', credentials: [{ type: 'password', value: 'p', ...set }] }] },
    UserConsent: { users: [{ username: 'u', clientConsents: [{ clientId: 'c', ...set }] }] },
    IdentityProvider: { identityProviders: [{ alias: 'i', providerId: 'oidc', config: ADDRESSES, ...set }] },
    'identity provider config': {
      identityProviders: [{ alias: 'i', providerId: 'oidc', config: { ...ADDRESSES, ...set } }],
    },
    IdentityProviderMapper: {
      identityProviders: [{ alias: 'i', providerId: 'oidc', config: ADDRESSES }],
      identityProviderMappers: [{ name: 'm', identityProviderAlias: 'i', identityProviderMapper: id, config: set }],
    },
    SocialIdentityProvider: { identityProviders: [{ alias: 'i', providerId: id, config: set }] },
    ProtocolMapper: {
      ...(id.includes('organization') ? { organizationsEnabled: true } : {}),
      clients: [
        {
          clientId: 'c',
          protocol: id.startsWith('saml') ? 'saml' : 'openid-connect',
          protocolMappers: [{ name: 'm', protocolMapper: id, ...(id === '' ? set : { config: set }) }],
        },
      ],
    },
    Authenticator: flow(id, set),
    FormAction: form(id, set),
    AuthenticationExecutionExport: flow('auth-cookie', {}, set),
    KeyProvider: { components: { 'org.keycloak.keys.KeyProvider': [{ providerId: id, config: { [name]: [value] } }] } },
    UserStorageProvider: storage(id, { [name]: [value] }),
    LDAPStorageMapper: storage('ldap', {}, { [name]: [value] }),
    ClientRegistrationPolicy: {
      components: {
        'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': [
          { providerId: id, subType: 'anonymous', config: { [name]: [value] } },
        ],
      },
    },
    ClientPolicyConditionProvider: {
      clientPolicies: { policies: [{ name: 'p', conditions: [{ condition: id, configuration: set }] }] },
    },
    ClientPolicyExecutorProvider: {
      clientProfiles: { profiles: [{ name: 'p', executors: [{ executor: id, configuration: set }] }] },
    },
    Organization: { organizations: [{ name: 'o', ...set }] },
    Validator: {
      components: {
        [PROFILE]: [{ providerId: 'declarative-user-profile', config: { 'kc.user.profile.config': [validations] } }],
      },
    },
  };
  const place = places[kind] ?? places[type];
  if (place === undefined) throw new Error(`nobody knows where a setting of ${kind} stands`);
  return { realm: 'x', ...place } as RealmRepresentation;
}

function flow(authenticator: string, config: object, more: object = {}): object {
  const step = { authenticator, requirement: 'REQUIRED', authenticatorConfig: 'k', ...more };
  return {
    browserFlow: 'b',
    // A step for organizations does nothing in Keycloak either if these are off.
    ...(authenticator === 'organization' ? { organizationsEnabled: true } : {}),
    authenticationFlows: [{ alias: 'b', authenticationExecutions: [step] }],
    authenticatorConfig: [{ alias: 'k', config }],
  };
}

function form(action: string, config: object): object {
  const page = { authenticator: 'registration-page-form', flowAlias: 'f', requirement: 'REQUIRED' };
  const step = { authenticator: action, requirement: 'REQUIRED', authenticatorConfig: 'k' };
  return {
    registrationAllowed: true,
    registrationFlow: 'r',
    authenticationFlows: [
      { alias: 'r', authenticationExecutions: [page] },
      { alias: 'f', authenticationExecutions: [step] },
    ],
    authenticatorConfig: [{ alias: 'k', config }],
  };
}

function storage(providerId: string, config: object, mapper: object = {}): object {
  const mappers = [{ providerId: 'user-attribute-ldap-mapper', config: mapper }];
  const subComponents = { 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': mappers };
  return { components: { 'org.keycloak.storage.UserStorageProvider': [{ providerId, config, subComponents }] } };
}
