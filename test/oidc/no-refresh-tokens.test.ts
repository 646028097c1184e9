import test from 'ava';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { ALICE_LOGIN, logIn, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const EXCHANGE = {
  'standard.token.exchange.enabled': 'true',
  'standard.token.exchange.enableRefreshRequestedTokenType': 'SAME_SESSION',
};

function realm(name: string, attributes: Record<string, string>) {
  const made = codeRealm(name);
  const clients = (made.clients ?? []).map((client) =>
    client.clientId === 'web' ? { ...client, serviceAccountsEnabled: true, attributes } : client,
  );
  return { ...made, clients };
}

const host = shareHost(
  test,
  administered({
    realms: [
      realm('demo', { ...EXCHANGE, 'client_credentials.use_refresh_token': 'true', 'use.refresh.tokens': 'false' }),
      realm('later', { ...EXCHANGE, 'client_credentials.use_refresh_token': 'true' }),
    ],
  }),
);

const exchange = (token: string) => ({
  ...WEB,
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
});

test('no refresh tokens: a client with use.refresh.tokens off gets no refresh token of a user by any grant, as at Keycloak', async (t) => {
  for (const scope of ['openid', 'openid offline_access']) {
    for (const answer of [
      await host().token('demo', { ...WEB, ...ALICE_LOGIN, scope }),
      await redeem(host(), await freshCode(host(), { scope })),
    ]) {
      const { refresh_token, refresh_expires_in } = answer.json as Record<string, unknown>;
      t.deepEqual([answer.status, refresh_token, refresh_expires_in], [200, undefined, 0], answer.text);
    }
  }
  const { access_token } = await logIn(host());
  const refused = await host().token('demo', exchange(access_token));
  t.is(refused.status, 400);
  t.like(refused.json, { error_description: 'requested_token_type unsupported' });
  // Its service account has a separate setting.
  const service = await host().token('demo', { ...WEB, grant_type: 'client_credentials' });
  t.truthy(service.json.refresh_token, service.text);
});

test('no refresh tokens: a client that loses its refresh tokens refreshes with those that it has, and gets no further ones', async (t) => {
  const call = await adminCaller(host());
  const { access_token, refresh_token } = await logIn(host(), {}, 'later');
  const service = await host().token('later', { ...WEB, grant_type: 'client_credentials' });
  const exchanged = await host().token('later', exchange(access_token));
  t.is(exchanged.status, 200, exchanged.text);
  const uuid = await clientUuid(host(), 'web', 'later');
  const attributes = { 'use.refresh.tokens': 'false' };
  t.is((await call('PUT', `/realms/later/clients/${uuid}`, { attributes })).status, 204);
  for (const token of [refresh_token, service.json.refresh_token, exchanged.json.refresh_token]) {
    const answer = await host().token('later', { ...WEB, grant_type: 'refresh_token', refresh_token: String(token) });
    const { refresh_token: next, refresh_expires_in } = answer.json as Record<string, unknown>;
    t.deepEqual([answer.status, next, refresh_expires_in], [200, undefined, 0], answer.text);
    t.truthy(answer.json.access_token);
  }
});
