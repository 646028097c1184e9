import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { RealmRepresentation } from '../../core/model/representation.js';

export const ALICE = 'a11ce000-0000-4000-8000-000000000001';
export const CAROL = 'ca401000-0000-4000-8000-000000000005';
export const DAVE = 'da5e0000-0000-4000-8000-000000000003';
export const NAKED = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** The ID, in that realm, of a user who has this one in `demo`. */
export const idIn = (realm: string, id = ALICE) => (realm === 'demo' ? id : `${id}-${realm}`);

/**
 * The realm that tests use: every type of client and user, with both plugins enabled. `changes` replaces top-level
 * keys.
 */
export function testRealm(name: string, changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const idHere = (id: string) => idIn(name, id);
  return {
    realm: name,
    enabled: true,
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    eventsEnabled: true,
    enabledEventTypes: [],
    // Fewer than the default of five, since tests hash ten thousand passwords.
    passwordPolicy: 'hashIterations(1)',
    clientScopes: [
      {
        name: 'newsletterscope',
        protocol: 'openid-connect',
        attributes: { 'is.dynamic.scope': 'true', 'dynamic.scope.regexp': 'newsletterscope*' },
      },
    ],
    roles: {
      realm: [{ name: 'reader' }, { name: 'staff', composites: { realm: ['reader'] } }],
      client: { nl: [{ name: 'newsletter-token-issuer' }], web: [{ name: 'editor' }] },
    },
    groups: [{ name: 'team', realmRoles: ['staff'], subGroups: [{ name: 'dev' }] }],
    clients: [
      {
        clientId: 'web',
        secret: 's3cret:+/%&é',
        directAccessGrantsEnabled: true,
        redirectUris: ['http://127.0.0.1:9999/cb'],
        webOrigins: ['+'],
        attributes: { 'standard.token.exchange.enabled': 'true' },
        defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
        optionalClientScopes: ['address', 'phone', 'offline_access'],
      },
      { clientId: 'web2', secret: 'web2-secret', directAccessGrantsEnabled: true },
      {
        clientId: 'spa',
        publicClient: true,
        directAccessGrantsEnabled: true,
        redirectUris: ['http://127.0.0.1:9998/*'],
        webOrigins: ['http://127.0.0.1:9998'],
        defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
        optionalClientScopes: ['address', 'phone'],
      },
      { clientId: 'svc', secret: 'svc-secret', serviceAccountsEnabled: true },
      {
        clientId: 'nl',
        secret: 'nl-secret',
        serviceAccountsEnabled: true,
        defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
        optionalClientScopes: ['newsletterscope'],
        impersonation: { enabled: true, scopes: ['newsletterscope*'], audiences: ['newsletter-api'] },
      },
      { clientId: 'newsletter-api', bearerOnly: true },
      { clientId: 'app-disabled', secret: 'x', enabled: false },
    ],
    users: [
      {
        id: idHere(ALICE),
        username: 'alice',
        email: 'alice@example.test',
        emailVerified: true,
        firstName: 'Alice',
        lastName: 'Example',
        enabled: true,
        attributes: { phoneNumber: ['+1 555 0100'], street: ['1 Main Street'] },
        realmRoles: ['reader', `default-roles-${name}`],
        clientRoles: { web: ['editor'] },
        groups: ['/team/dev'],
        credentials: [{ type: 'password', value: 'Alice-pass-1!' }],
      },
      {
        id: idHere(CAROL),
        username: 'carol',
        enabled: false,
        credentials: [{ type: 'password', value: 'Carol-pass-1!' }],
      },
      {
        id: idHere(DAVE),
        username: 'dave',
        enabled: true,
        clientRoles: { 'realm-management': ['realm-admin'] },
        credentials: [{ type: 'password', value: 'Dave-pass-1!' }],
      },
      // The username is another user's ID: an ID must have priority over a name.
      { username: idHere(ALICE).toUpperCase(), enabled: true },
      {
        username: 'service-account-nl',
        enabled: true,
        serviceAccountClientId: 'nl',
        clientRoles: { nl: ['newsletter-token-issuer'] },
      },
    ],
    providers: {
      'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'none' } } },
      'action-token-handler': {
        'external-app-notification': {
          enabled: true,
          config: { clientId: 'nl', clientSecret: 'nl-secret', audience: 'newsletter-api' },
        },
      },
    },
    ...changes,
  };
}

/**
 * The test realm in which only holders of newsletter-token-issuer get links; `handler` configures the effect of a link.
 */
export function guardedRealm(
  name: string,
  handler: { singleUse?: boolean; confirm?: boolean } = {},
  changes: Partial<RealmRepresentation> = {},
): RealmRepresentation {
  const config = { clientId: 'nl', clientSecret: 'nl-secret', audience: 'newsletter-api', ...handler };
  return testRealm(name, {
    providers: {
      'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'client' } } },
      'action-token-handler': { 'external-app-notification': { enabled: true, config } },
    },
    ...changes,
  });
}
