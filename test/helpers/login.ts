import { type Answer, fetchAnswer, type TestHost } from './host.js';
import { ALICE, idIn } from './realms.js';

export const WEB = { client_id: 'web', client_secret: 's3cret:+/%&é' };
export const WEB2 = { client_id: 'web2', client_secret: 'web2-secret' };
export const SVC = { client_id: 'svc', client_secret: 'svc-secret' };
export const NL = { client_id: 'nl', client_secret: 'nl-secret' };
export const ALICE_LOGIN = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
}

/** Alice's tokens from the password grant. */
export async function logIn(
  host: TestHost,
  changes: Record<string, string> = {},
  realm = host.defaultRealm,
): Promise<Tokens> {
  const answer = await host.token(realm, { ...WEB, ...ALICE_LOGIN, scope: 'openid', ...changes });
  if (answer.status !== 200) throw new Error(`the login was answered ${answer.status} ${answer.text}`);
  return answer.json as unknown as Tokens;
}

/** A client's own access token. */
export async function serviceToken(host: TestHost, client = SVC, realm = host.defaultRealm): Promise<string> {
  const { json } = await host.token(realm, { ...client, grant_type: 'client_credentials' });
  return json.access_token ?? '';
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

export function userinfo(host: TestHost, token: string, realm = host.defaultRealm): Promise<Answer> {
  return fetchAnswer(`${host.oidc(realm)}/userinfo`, { headers: bearer(token) });
}

/** Posts a form to `…/protocol/openid-connect/{path}`. */
export function post(
  host: TestHost,
  path: string,
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
  realm = host.defaultRealm,
): Promise<Answer> {
  return fetchAnswer(`${host.oidc(realm)}/${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
}

export const introspect = (
  host: TestHost,
  token: string,
  more: Record<string, string> = {},
  realm = host.defaultRealm,
) => post(host, 'token/introspect', { ...WEB, token, ...more }, {}, realm);

/** Requests a link from the newsletter plugin. */
export function generate(
  host: TestHost,
  body: unknown = { userId: ALICE, applicationId: '42' },
  headers: Record<string, string> = {},
  realm = host.defaultRealm,
): Promise<Answer> {
  return fetchAnswer(`${host.realm(realm)}/newsletter/generate-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
}

/** The key of a fresh link for alice. */
export async function issueKey(host: TestHost, realm = host.defaultRealm, userId = ALICE): Promise<string> {
  const user = idIn(realm, userId);
  const answer = await generate(host, { userId: user, applicationId: '42' }, basic('nl', 'nl-secret'), realm);
  if (answer.status !== 200) throw new Error(`generate-token answered ${answer.status} ${answer.text}`);
  return answer.json.token ?? '';
}

/** Opens a link. */
export const follow = (host: TestHost, key: string, headers: Record<string, string> = {}, realm = host.defaultRealm) =>
  fetchAnswer(`${host.realm(realm)}/login-actions/action-token?key=${encodeURIComponent(key)}`, { headers });

/** Presses the button of a link's page. */
export const press = (host: TestHost, key: string, realm = host.defaultRealm) =>
  fetchAnswer(`${host.realm(realm)}/login-actions/action-token`, {
    method: 'POST',
    body: new URLSearchParams({ key }),
  });
