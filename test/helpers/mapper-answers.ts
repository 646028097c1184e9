import { readFile } from 'node:fs/promises';
import { parseExactly } from '../../core/model/exact-json.js';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { Browser, codeRequest, signIn } from './form-browser.js';
import { claimsOf, type TestHost } from './host.js';
import { introspect, userinfo } from './login.js';

/**
 * The distinctive content of a token or another answer. `SELF` represents the client, `SID` the session, `USER` the
 * user.
 */
type Said = Readonly<Record<string, unknown>>;
/** By answer; only `error` if there were no tokens. */
export type Answers = Readonly<
  Partial<Record<'access' | 'id' | 'userinfo' | 'introspection' | 'response' | 'error', unknown>>
>;

/** Mappers of a client, and the answers of Keycloak 26.7.3 to a login to it. */
export interface MapperCase {
  readonly name: string;
  readonly mappers: readonly (readonly [id: string, config: Readonly<Record<string, string>>])[];
  readonly client?: Partial<ClientRepresentation>;
  /** Its default client scopes, instead of `basic`. */
  readonly scopes?: readonly string[];
  /** Issues lightweight access tokens. */
  readonly light?: true;
  /** How tokens are requested: the password grant of user `u`, unless one of these is set. */
  readonly service?: true;
  readonly refresh?: true;
  readonly browser?: true;
  readonly params?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly says: Answers;
  /** This host's different answer. */
  readonly here?: Answers;
  /** The reason for the difference, in one word. */
  readonly why?: string;
}

const FIXTURE = new URL('../../../test/fixtures/keycloak-26-mapper-answers.json', import.meta.url);
const CALLBACK = 'http://127.0.0.1:9/cb';
const REALM = 'mappers';

/** The cases, and the realm that has a client for each of them. */
export async function mapperCases(): Promise<{ realm: RealmRepresentation; cases: readonly MapperCase[] }> {
  const text = await readFile(FIXTURE, 'utf8');
  const { realm, cases } = JSON.parse(text) as { realm: RealmRepresentation; cases: readonly MapperCase[] };
  const clients = cases.map(clientOf);
  // Their service accounts are among the users, so clients have only the scopes that they state.
  const accounts = clients
    .filter(({ serviceAccountsEnabled }) => serviceAccountsEnabled === true)
    .map(({ clientId }) => ({
      username: `service-account-${clientId}`,
      enabled: true,
      serviceAccountClientId: clientId,
    }));
  const users = [...(realm.users ?? []), ...accounts];
  return { realm: { ...realm, users, clients: [...(realm.clients ?? []), ...clients] }, cases };
}

const idOf = (index: number) => `c${index}`;

function clientOf({ mappers, client, scopes, light, service }: MapperCase, index: number): ClientRepresentation {
  const config = (of: object) =>
    JSON.parse(JSON.stringify(of).replaceAll('@self', idOf(index))) as Record<string, string>;
  return {
    clientId: idOf(index),
    secret: 's',
    directAccessGrantsEnabled: true,
    standardFlowEnabled: true,
    serviceAccountsEnabled: service === true,
    redirectUris: [CALLBACK],
    fullScopeAllowed: true,
    defaultClientScopes: [...(scopes ?? ['basic'])],
    optionalClientScopes: [],
    ...client,
    attributes: light === true ? { 'client.use.lightweight.access.token.enabled': 'true' } : {},
    protocolMappers: mappers.map(([protocolMapper, of], at) => ({
      name: `m${at}`,
      protocolMapper,
      config: config(of),
    })),
  };
}

/** This host's answers to a case, limited to the parts that Keycloak's answers have. */
export async function answersHere(host: TestHost, one: MapperCase, index: number): Promise<Answers> {
  const client = { client_id: idOf(index), client_secret: 's' };
  const { status, json } = await tokens(host, one, client);
  if (status !== 200) return { error: String(status) };
  const { access_token: access = '', id_token: id, session_state: sid } = json as Record<string, string | undefined>;
  const said = (claims: unknown, kind: keyof Answers) => {
    const own = told(claims as Said, {
      clientId: idOf(index),
      sid: sid ?? String(claimsOf(access).sid),
      issuer: host.realm(REALM),
      kind,
    });
    // Keycloak has a login time only in browsers.
    if (one.browser !== true && own.auth_time === 'TIME') delete own.auth_time;
    return own;
  };
  const parts: Record<string, () => Promise<unknown> | unknown> = {
    access: () => said(numbersOf(payloadOf(access)), 'access'),
    id: () => id && said(numbersOf(payloadOf(id)), 'id'),
    response: () =>
      said(Object.fromEntries(Object.entries(json).filter(([name]) => !OF_ANSWER.includes(name))), 'response'),
    userinfo: async () => {
      const answer = await userinfo(host, access, REALM);
      return answer.status === 200 ? said(numbersOf(answer.text), 'userinfo') : { error: `${answer.status} ` };
    },
    introspection: async () => said(numbersOf((await introspect(host, access, client, REALM)).text), 'introspection'),
  };
  const wanted = 'error' in one.says ? ['access'] : Object.keys(one.says);
  const answers: Record<string, unknown> = {};
  for (const part of wanted) answers[part] = await parts[part]?.();
  if (one.says.access !== undefined && Object.keys(one.says).length === 1)
    delete (answers.access as Record<string, unknown>).sub;
  return answers;
}

/** Parses JSON. A number that JavaScript would change becomes a text with its digits, as in the fixture. */
function numbersOf(text: string): unknown {
  return parseExactly(text, (digits) => (String(Number(digits)) === digits ? Number(digits) : `the number ${digits}`));
}

function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}

const OF_ANSWER = [
  'access_token',
  'refresh_token',
  'id_token',
  'token_type',
  'expires_in',
  'refresh_expires_in',
  'not-before-policy',
  'session_state',
  'scope',
];

async function tokens(host: TestHost, one: MapperCase, client: Record<string, string>) {
  const ask = (form: Record<string, string>) => host.token(REALM, { ...client, ...form });
  if (one.service) return ask({ grant_type: 'client_credentials', scope: 'openid' });
  const { user: username = 'u' } = one;
  if (!one.browser) {
    const first = await ask({ grant_type: 'password', username, password: 'pw', scope: 'openid' });
    if (!one.refresh) return first;
    return ask({ grant_type: 'refresh_token', refresh_token: String(first.json.refresh_token) });
  }
  const { url, verifier } = codeRequest(
    host,
    { client_id: client.client_id, redirect_uri: CALLBACK, nonce: undefined, ...one.params },
    REALM,
  );
  const { location } = await signIn(new Browser(), url, { username, password: 'pw' });
  const code = location?.searchParams.get('code') ?? '';
  return ask({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier });
}

/** Removes members that every such answer has. */
function told(
  claims: Said,
  of: { clientId: string; sid: string; issuer: string; kind: string },
): Record<string, unknown> {
  const usual: Said = {
    iss: of.issuer,
    azp: of.clientId,
    sid: of.sid,
    client_id: of.clientId,
    token_type: 'Bearer',
    active: true,
  };
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(claims)) {
    const text = JSON.stringify(value);
    const isUsual =
      usual[name] === value ||
      (['exp', 'iat', 'jti', 'at_hash', 'scope', 'typ'].includes(name) && !text.includes('evil')) ||
      (name === 'username' && !text.includes('evil')) ||
      (of.kind === 'id' && (name === 'nonce' || (name === 'aud' && value === of.clientId)));
    if (isUsual) continue;
    if (name === 'sub') left[name] = 'USER';
    else if (value === of.sid) left[name] = 'SID';
    else if (typeof value === 'number' && value > 1e9 && value < 1e10) left[name] = 'TIME';
    else if (/^"\d{10}"$/.test(text)) left[name] = 'TIMETEXT';
    else left[name] = JSON.parse(text.replaceAll(`"${of.clientId}"`, '"SELF"').replaceAll(`${of.clientId}.`, 'SELF.'));
  }
  return left;
}

/** Keycloak treats lists of texts as sets, and members have no order. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? [...value].sort() : value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, ordered(one)]),
  );
}
