import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import type { ClientScopeRepresentation } from '../../core/model/representation.js';
import { startHost, type TestHost } from '../helpers/host.js';

function start(t: ExecutionContext, clientScopes: ClientScopeRepresentation[] = []): Promise<TestHost> {
  const clients = [
    { clientId: 'a', publicClient: true, directAccessGrantsEnabled: true },
    { clientId: 'w', secret: 's', serviceAccountsEnabled: true, defaultClientScopes: ['service_account'] },
  ];
  const ann = {
    username: 'ann',
    email: 'ann@example.test',
    enabled: true,
    realmRoles: ['offline_access'],
    credentials: [{ type: 'password', value: 'Ann-pass-1!' }],
  };
  return startHost(t, { realms: [{ realm: 'x', enabled: true, clientScopes, clients, users: [ann] }] });
}

/** Requests a token and returns the claims of its access token. */
async function claims(host: TestHost, form: Record<string, string>): Promise<jose.JWTPayload> {
  return jose.decodeJwt((await host.token('x', form)).json.access_token ?? '');
}

const tokenRequestOfAnn = (scope: string) => ({
  grant_type: 'password',
  client_id: 'a',
  username: 'ann',
  password: 'Ann-pass-1!',
  scope,
});

test('built-in client scopes: a client scope that the file declares takes the place of the built-in one, and the others are there', async (t) => {
  const attributes = { 'include.in.token.scope': 'true' };
  const own = await claims(
    await start(t, [{ name: 'profile', protocol: 'openid-connect', attributes }]),
    tokenRequestOfAnn('openid'),
  );
  t.is(own.preferred_username, undefined);
  t.is(own.email, 'ann@example.test');
  t.deepEqual(String(own.scope).split(' ').sort(), ['email', 'openid', 'profile']);
  t.is((await claims(await start(t), tokenRequestOfAnn('openid'))).preferred_username, 'ann');
});

test('built-in client scopes: microprofile-jwt can be asked for, and gives the user’s name and roles as its claims', async (t) => {
  const host = await start(t);
  t.is((await claims(host, tokenRequestOfAnn('openid'))).upn, undefined);
  t.like(await claims(host, tokenRequestOfAnn('openid microprofile-jwt')), { upn: 'ann', groups: ['offline_access'] });
});

test('built-in client scopes: service_account adds the client ID and its address', async (t) => {
  const form = { grant_type: 'client_credentials', client_id: 'w', client_secret: 's' };
  const told = { client_id: 'w', clientHost: '127.0.0.1', clientAddress: '127.0.0.1' };
  t.like(await claims(await start(t), form), told);
});
