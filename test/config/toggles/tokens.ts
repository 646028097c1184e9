import { claimsOf } from '../../helpers/host.js';
import { idOfAlice, type Toggle, tokensOf, verdict, withAttributes, withClient, withUser } from './toggle.js';

const login: Toggle['ask'] = async (realm) => verdict(await realm.login());
const lifetimes: Toggle['ask'] = async (realm) => tokensOf(await realm.login());
const headerOf = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Lifetimes, formats and switches of tokens, clients and users. */
export const TOKEN_TOGGLES: readonly Toggle[] = [
  {
    setting: 'access.token.lifespan',
    realms: withAttributes(...['60', '-1', '', '7200'].map((seconds) => ({ 'access.token.lifespan': seconds }))),
    ask: lifetimes,
  },
  {
    setting: 'accessTokenLifespan ssoSessionMaxLifespan',
    realms: [
      { accessTokenLifespan: 90 },
      { accessTokenLifespan: 90_000 },
      { accessTokenLifespan: 3600, ssoSessionMaxLifespan: 600 },
    ],
    ask: lifetimes,
  },
  {
    setting: 'ssoSessionIdleTimeout clientSessionIdleTimeout clientSessionMaxLifespan',
    realms: [
      { ssoSessionIdleTimeout: 100, ssoSessionMaxLifespan: 1000 },
      { clientSessionIdleTimeout: 50 },
      { clientSessionMaxLifespan: 40, clientSessionIdleTimeout: 70 },
      ...withAttributes({ 'client.session.idle.timeout': '33' }, { 'client.session.max.lifespan': '22' }),
    ],
    ask: lifetimes,
  },
  {
    setting: 'access.token.header.type.rfc9068',
    realms: withAttributes(...['true', 'false'].map((on) => ({ 'access.token.header.type.rfc9068': on }))),
    ask: async (realm) => headerOf((await realm.login()).json.access_token).typ,
  },
  {
    setting: 'access.token.signed.response.alg id.token.signed.response.alg',
    realms: withAttributes(
      ...[
        ['ES256', 'PS512'],
        ['RS384', 'HS256'],
        ['EdDSA', 'EdDSA'],
      ].map(([access, id]) => ({ 'access.token.signed.response.alg': access, 'id.token.signed.response.alg': id })),
    ),
    ask: async (realm) => {
      const { json } = await realm.login();
      return [headerOf(json.access_token).alg, headerOf(json.id_token).alg];
    },
  },
  {
    setting: 'user.info.response.signature.alg',
    realms: withAttributes(...['RS256', 'ES256', ''].map((alg) => ({ 'user.info.response.signature.alg': alg }))),
    ask: async (realm) => {
      const { json } = await realm.login();
      const { status, text } = await realm.userinfo(String(json.access_token));
      return [status, text.startsWith('{') ? 'JSON' : headerOf(text).alg];
    },
  },
  {
    setting: 'token.response.type.bearer.lower-case',
    realms: withAttributes(...['true', 'false'].map((on) => ({ 'token.response.type.bearer.lower-case': on }))),
    ask: async (realm) => (await realm.login()).json.token_type,
  },
  {
    setting: 'use.refresh.tokens',
    realms: withAttributes(...['true', 'false'].map((on) => ({ 'use.refresh.tokens': on }))),
    ask: lifetimes,
  },
  {
    setting: 'client_credentials.use_refresh_token',
    realms: withAttributes(...['true', 'false'].map((on) => ({ 'client_credentials.use_refresh_token': on }))),
    ask: async (realm) => {
      const answer = await realm.token({ grant_type: 'client_credentials' });
      // Keyhost has `auth_time` of the session, too.
      const claims = Object.keys(claimsOf(String(answer.json.access_token))).filter((name) => name !== 'auth_time');
      return [tokensOf(answer), claims.sort()];
    },
  },
  {
    setting: 'allow.userinfo.with.lightweight.access.token',
    realms: withAttributes(
      ...['true', 'false'].flatMap((lightweight) =>
        ['true', 'false'].map((allowed) => ({
          'client.use.lightweight.access.token.enabled': lightweight,
          'allow.userinfo.with.lightweight.access.token': allowed,
        })),
      ),
    ),
    ask: async (realm) => (await realm.userinfo(String((await realm.login()).json.access_token))).status,
  },
  {
    setting: 'fullScopeAllowed',
    realms: [true, false].map((fullScopeAllowed) => withClient({ fullScopeAllowed })),
    ask: async (realm) => {
      const claims = claimsOf(String((await realm.login()).json.access_token)) as {
        realm_access?: { roles: readonly string[] };
        resource_access?: object;
      };
      const roles = claims.realm_access?.roles.filter((role) => /^r\d/.test(role));
      return [roles, Object.keys(claims.resource_access ?? {}).sort()];
    },
  },
  {
    setting: 'directAccessGrantsEnabled serviceAccountsEnabled publicClient bearerOnly enabled consentRequired',
    realms: [
      { directAccessGrantsEnabled: false },
      { serviceAccountsEnabled: false },
      { publicClient: true },
      { bearerOnly: true },
      { enabled: false },
      { consentRequired: true },
    ].map(withClient),
    ask: async (realm) => [await login(realm), verdict(await realm.token({ grant_type: 'client_credentials' }))],
  },
  {
    setting: 'enabled requiredActions emailVerified of a user',
    realms: [
      withUser({ enabled: false }),
      withUser({ requiredActions: ['UPDATE_PASSWORD'] }),
      { ...withUser({ emailVerified: false }), verifyEmail: true },
      withUser({ emailVerified: false }),
    ],
    ask: login,
  },
  {
    setting: 'loginWithEmailAllowed duplicateEmailsAllowed',
    realms: [
      { loginWithEmailAllowed: false },
      { loginWithEmailAllowed: true },
      { loginWithEmailAllowed: false, duplicateEmailsAllowed: true },
    ],
    ask: async (realm) => verdict(await realm.login({ username: 'alice@x.test' })),
  },
  {
    setting: 'failureFactor permanentLockout',
    realms: [
      { bruteForceProtected: true, failureFactor: 2, quickLoginCheckMilliSeconds: 0 },
      { bruteForceProtected: true, failureFactor: 3, quickLoginCheckMilliSeconds: 0 },
      { bruteForceProtected: true, failureFactor: 2, permanentLockout: true, quickLoginCheckMilliSeconds: 0 },
    ],
    ask: async (realm) => {
      const verdicts: unknown[] = [];
      const failures = async () => {
        const path = `/attack-detection/brute-force/users/${await idOfAlice(realm)}`;
        return (await realm.admin('GET', path)).json as unknown as { disabled: boolean; numFailures: number };
      };
      for (const attempt of [1, 2]) {
        verdicts.push(verdict(await realm.login({ password: 'wrong' })));
        // Keycloak counts a failure after it has answered.
        for (let asked = 0; asked < 100; asked++) {
          const { disabled, numFailures } = await failures();
          if (disabled || numFailures >= attempt) break;
        }
      }
      return [...verdicts, await login(realm), (await failures()).disabled];
    },
  },
  {
    setting: 'revokeRefreshToken refreshTokenMaxReuse',
    realms: [
      { revokeRefreshToken: true, refreshTokenMaxReuse: 0 },
      { revokeRefreshToken: true, refreshTokenMaxReuse: 1 },
      { revokeRefreshToken: false },
    ],
    ask: async (realm) => {
      const refresh_token = String((await realm.login()).json.refresh_token);
      const verdicts: unknown[] = [];
      for (const _ of [1, 2, 3])
        verdicts.push(verdict(await realm.token({ grant_type: 'refresh_token', refresh_token })));
      return verdicts;
    },
  },
];
