import { CONNECTIONS } from '../rows/row.js';
import type { Work } from '../work.js';
import type { Login, OidcServer } from './oidc-server.js';

/** The reason why a server is not measured in a row. */
export class Refusal extends Error {}

/** The work of every server, determined before each run. */
export interface ComparedRow {
  readonly name: string;
  /** @throws Refusal if the server does not support it */
  work(server: OidcServer): Promise<Work>;
}

type Form = Readonly<Record<string, string>>;
type Answer = Readonly<Record<string, unknown>>;

export const COMPARED_ROWS: readonly ComparedRow[] = [
  { name: 'discovery', work: async ({ wellKnown }) => ({ url: wellKnown }) },
  { name: 'JWKS', work: async (server) => ({ url: endpoint(server, 'jwks_uri') }) },
  {
    name: 'client credentials',
    async work(server) {
      const work = asClient(server, 'token_endpoint', { grant_type: 'client_credentials' });
      await asked(work);
      return work;
    },
  },
  {
    name: 'introspection',
    async work(server) {
      const { access_token } = await asked(asClient(server, 'token_endpoint', { grant_type: 'client_credentials' }));
      const work = asClient(server, 'introspection_endpoint', { token: String(access_token) });
      if ((await asked(work)).active !== true) throw new Refusal('it does not call its own token active');
      return work;
    },
  },
  {
    name: 'refresh',
    async work(server) {
      const first = await refreshToken(server);
      const refreshed = await asked(asClient(server, 'token_endpoint', { grant_type: 'refresh_token', ...first }));
      if (typeof refreshed.refresh_token !== 'string') throw new Refusal('it answers without a refresh token');
      const chains: string[] = [];
      // One at a time, so that no server rejects parallel requests.
      for (let index = 0; index < CONNECTIONS; index += 1) chains.push((await refreshToken(server)).refresh_token);
      return { ...asClient(server, 'token_endpoint', { grant_type: 'refresh_token' }), chains };
    },
  },
  {
    name: 'password grant',
    async work(server) {
      const work = password(server);
      await asked(work);
      return work;
    },
  },
];

function endpoint({ metadata }: OidcServer, name: string): string {
  const url = metadata[name];
  if (typeof url !== 'string') throw new Refusal(`its metadata names no ${name}`);
  return url;
}

/** A request of the client, authenticated in the form if the server accepts that, as most clients do. */
function asClient(server: OidcServer, name: string, form: Form): Work & { readonly form: Form } {
  const { client, metadata } = server;
  if (client === undefined) throw new Refusal('no --compare-client is given');
  const url = endpoint(server, name);
  // OpenID Connect Discovery 1.0 §3: client_secret_basic is the default.
  const methods = metadata.token_endpoint_auth_methods_supported;
  if (Array.isArray(methods) && methods.includes('client_secret_post')) {
    return { url, form: { ...form, client_id: client.name, client_secret: client.password } };
  }
  return { url, form, headers: { authorization: basic(client) } };
}

/** RFC 6749 §2.3.1: both are form-encoded first. */
function basic({ name, password }: Login): string {
  const encoded = [name, password].map((word) => new URLSearchParams({ '': word }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

function password(server: OidcServer): Work {
  const { user } = server;
  if (user === undefined) throw new Refusal('no --compare-user is given');
  const login = { grant_type: 'password', username: user.name, password: user.password, scope: 'openid' };
  return asClient(server, 'token_endpoint', login);
}

async function refreshToken(server: OidcServer): Promise<{ refresh_token: string }> {
  const { refresh_token } = await asked(password(server));
  if (typeof refresh_token !== 'string') throw new Refusal('its password grant brings no refresh token');
  return { refresh_token };
}

/** @throws Refusal with the error of an answer that is not 200 */
async function asked({ url, form = {}, headers = {} }: Work): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers });
  const text = await response.text();
  if (response.status !== 200)
    throw new Refusal(`${new URL(url).pathname} answered ${response.status}: ${brief(text)}`);
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new Refusal(`${new URL(url).pathname} answered no JSON`);
  }
}

/** The error of RFC 6749 §5.2, or the beginning of any other answer. */
function brief(text: string): string {
  const found = /"error"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return found ?? text.replace(/\s+/g, ' ').slice(0, 100);
}
