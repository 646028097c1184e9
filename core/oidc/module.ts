import { Clock, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { token } from '../di/token.js';
import { Endpoints } from '../http/module.js';
import { RequestEvents } from '../http/request-events.js';
import { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { KeyRing } from '../keys/key-ring.js';
import { Pages } from '../pages/pages.js';
import { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import { RealmWarnings } from '../realms/module.js';
import { RealmEdits } from '../realms/realm-edits.js';
import { Events } from '../registry/events/events.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { TokenSessions } from '../sessions/token-sessions.js';
import { Store } from '../store/module.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { ClaimMapping } from '../tokens/claims.js';
import { TokenIssuer } from '../tokens/issue-tokens.js';
import { ClientAuthenticator } from '../tokens/module.js';
import { RefreshTokens } from '../tokens/refresh-tokens.js';
import { LoginFailures } from '../users/passwords/login-failures.js';
import { Users } from '../users/users.js';
import { VaultSecrets } from '../vault/vault-secrets.js';
import { AuthorizationCodes } from './authorization/authorization-codes.js';
import { authorizationEndpoints, type BrowserLogin as BrowserLoginOf } from './authorization/authorization-endpoint.js';
import { PushedAuthorization } from './authorization/pushed-authorization.js';
import { builtInClientAuthenticators } from './built-in-client-authenticators.js';
import { ClientAuthentication } from './client-authentication.js';
import { ClientRequestRunner } from './client-requests.js';
import { deviceAuthorizationEndpoint } from './devices/device-authorization.js';
import { DeviceCodes } from './devices/device-codes.js';
import { builtInGrants } from './grants/built-in-grants.js';
import type { DirectGrant as DirectGrantOf } from './grants/services.js';
import { ANY_CLIENT_INTROSPECTS, allowsAnyClient, introspectionEndpoint } from './introspection.js';
import { metadataEndpoints } from './metadata.js';
import { revocationEndpoint } from './revocation.js';
import { SecretExpiry } from './secret-expiry.js';
import { TokenEndpoint } from './token-endpoint.js';
import { userinfoEndpoint } from './userinfo.js';

/** Authenticates the users of password grants. */
export const DirectGrant = token<DirectGrantOf>('DirectGrant');
/** Signs users in for checked authorization requests. */
export const BrowserLogin = token<BrowserLoginOf>('BrowserLogin');

export const oidc = module('oidc', [
  service(
    ClientAuthentication,
    (use) =>
      new ClientAuthentication({
        store: use(Store),
        clock: use(Clock),
        privateNetworks: use(Options).privateNetworks,
        providers: use(RealmProviders),
        vault: use(VaultSecrets),
        fetched: use(FetchedKeyGenerations),
      }),
  ),
  service(ClientAuthenticator, (use) => use(ClientAuthentication)),
  service(
    ClientRequestRunner,
    (use) =>
      new ClientRequestRunner({
        clients: use(ClientAuthentication),
        events: use(RequestEvents),
        plugins: use(PolicyPlugins),
      }),
  ),
  service(AuthorizationCodes, (use) => new AuthorizationCodes({ store: use(Store), clock: use(Clock) })),
  service(DeviceCodes, (use) => new DeviceCodes({ store: use(Store), clock: use(Clock) })),
  service(
    PushedAuthorization,
    (use) =>
      new PushedAuthorization({
        requests: use(ClientRequestRunner),
        store: use(Store),
        keys: use(KeyRing),
        clock: use(Clock),
        plugins: use(PolicyPlugins),
      }),
  ),
  service(
    TokenEndpoint,
    (use) =>
      new TokenEndpoint({
        sessions: use(SessionFactory),
        clients: use(ClientAuthentication),
        issuer: use(TokenIssuer),
        events: use(Events),
        users: use(Users),
        failures: use(LoginFailures),
        tokenSessions: use(TokenSessions),
        secretExpiry: new SecretExpiry(use(RealmEdits), use(Clock)),
        plugins: use(PolicyPlugins),
      }),
  ),
  adds(BuiltInPlugins, (use) => [
    builtInClientAuthenticators(use(ClientAuthentication)),
    builtInGrants({
      users: use(Users),
      failures: use(LoginFailures),
      directGrant: use(DirectGrant),
      tokenSessions: use(TokenSessions),
      accessTokens: use(AccessTokens),
      refreshTokens: use(RefreshTokens),
      codes: use(AuthorizationCodes),
      devices: use(DeviceCodes),
    }),
  ]),
  adds(RealmWarnings, () => [(realm) => (allowsAnyClient(realm) ? ANY_CLIENT_INTROSPECTS : undefined)]),
  adds(Endpoints, (use) => {
    const keys = use(KeyRing);
    const requests = use(ClientRequestRunner);
    const store = use(Store);
    const clock = use(Clock);
    const accessTokens = use(AccessTokens);
    const mapping = use(ClaimMapping);
    const pushed = use(PushedAuthorization);
    return [
      ...metadataEndpoints({ keys }),
      ...authorizationEndpoints({
        events: use(RequestEvents),
        pages: use(Pages),
        login: use(BrowserLogin),
        pushed,
        keys,
        plugins: use(PolicyPlugins),
      }),
      pushed.endpoint(),
      deviceAuthorizationEndpoint({ requests, devices: use(DeviceCodes), clock }),
      use(TokenEndpoint).endpoint(),
      introspectionEndpoint({
        requests,
        accessTokens,
        refreshTokens: use(RefreshTokens),
        users: use(Users),
        mapping,
        clock,
        sessions: use(SessionFactory),
      }),
      userinfoEndpoint({
        accessTokens,
        mapping,
        keys,
        events: use(Events),
        sessions: use(SessionFactory),
        plugins: use(PolicyPlugins),
      }),
      revocationEndpoint({ requests, keys, store, clock }),
    ];
  }),
]);
