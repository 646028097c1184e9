import type { RealmRepresentation } from '../../../core/model/representation.js';
import { type Answer, claimsOf, fetchAnswer } from '../../helpers/host.js';
import type { AskAdmin } from '../../helpers/realm-members.js';

/** A realm on one of the two servers. */
export interface ToggledRealm {
  /** The Admin REST API below `/admin/realms/{realm}`. */
  readonly admin: AskAdmin;
  /** The token endpoint, as the client `app`. */
  token(form: Readonly<Record<string, string>>): Promise<Answer>;
  /** The password grant of `alice`, with the scope `openid` unless the form has another. */
  login(form?: Readonly<Record<string, string>>): Promise<Answer>;
  introspect(token: string): Promise<Answer>;
  userinfo(token: string): Promise<Answer>;
  /** Registers a client without a token. */
  register(metadata: object): Promise<Answer>;
}

/** A setting, realms that differ only in it, and a query of each. The answers must equal Keycloak's. */
export interface Toggle {
  readonly setting: string;
  readonly realms: readonly Partial<RealmRepresentation>[];
  readonly ask: (realm: ToggledRealm) => Promise<unknown>;
}

/** @param url of the server @param admin the Admin REST API below `/admin/realms` */
export function toggledRealm(url: string, admin: AskAdmin, realm: string): ToggledRealm {
  const CLIENT = { client_id: 'app', client_secret: 'secret-of-app' };
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    fetchAnswer(`${url}/realms/${realm}${path}`, { method: 'POST', body: new URLSearchParams({ ...CLIENT, ...form }) });
  const token = (form: Readonly<Record<string, string>>) => post('/protocol/openid-connect/token', form);
  return {
    admin: (method, path, body) => admin(method, `/${realm}${path}`, body),
    token,
    login: (form = {}) =>
      token({ grant_type: 'password', username: 'alice', password: 'Password-1', scope: 'openid', ...form }),
    introspect: (it) => post('/protocol/openid-connect/token/introspect', { token: it }),
    userinfo: (it) =>
      fetchAnswer(`${url}/realms/${realm}/protocol/openid-connect/userinfo`, {
        headers: { authorization: `Bearer ${it}` },
      }),
    register: (metadata) =>
      fetchAnswer(`${url}/realms/${realm}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      }),
  };
}

const ANYONE = { view: ['admin', 'user'], edit: ['admin', 'user'] };

/** A user profile with Keycloak's four attributes and these, as components of a realm. */
export function profileWith(...attributes: object[]): Pick<RealmRepresentation, 'components'> {
  const names = ['username', 'email', 'firstName', 'lastName'].map((name) => ({ name, permissions: ANYONE }));
  const profile = { unmanagedAttributePolicy: 'ENABLED', attributes: [...names, ...attributes] };
  const config = { 'kc.user.profile.config': [JSON.stringify(profile)] };
  return {
    components: {
      'org.keycloak.userprofile.UserProfileProvider': [{ providerId: 'declarative-user-profile', config }],
    },
  };
}

/** An attribute of the profile that anyone may edit. */
export function profileAttribute(rest: object): object {
  return { name: 'v', permissions: ANYONE, ...rest };
}

/** The realm of all toggles: `alice`, in a group, with roles of the realm and of two clients. */
export function toggleBase(realm: string, changes: Partial<RealmRepresentation>): RealmRepresentation {
  return {
    realm,
    enabled: true,
    sslRequired: 'none',
    roles: {
      realm: [{ name: 'r1' }, { name: 'r2' }],
      client: { app: [{ name: 'c1' }, { name: 'c2' }], other: [{ name: 'o1' }] },
    },
    groups: [
      {
        name: 'g1',
        attributes: { team: ['red', 'blue'] },
        subGroups: [{ name: 'sub', attributes: { team: ['green'] } }],
      },
    ],
    clients: [client({}), { clientId: 'other', secret: 'secret-of-other', redirectUris: ['https://other.test/*'] }],
    users: [user({})],
    ...profileWith(),
    ...changes,
  };
}

const INTROSPECTS = { 'allow.token.introspection.without.audience.check': 'true' };

function client({ attributes, ...rest }: { readonly attributes?: object; readonly [member: string]: unknown }) {
  return {
    clientId: 'app',
    secret: 'secret-of-app',
    enabled: true,
    redirectUris: ['https://app.test/*'],
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    standardFlowEnabled: true,
    attributes: { ...INTROSPECTS, ...attributes },
    ...rest,
  };
}

function user(rest: object) {
  return {
    username: 'alice',
    enabled: true,
    emailVerified: true,
    email: 'alice@x.test',
    firstName: 'Alice',
    lastName: 'Liddell',
    credentials: [{ type: 'password', value: 'Password-1' }],
    groups: ['/g1/sub'],
    realmRoles: ['r1'],
    clientRoles: { app: ['c1'], other: ['o1'] },
    attributes: { age: ['42'], list: ['7', '8'], flag: ['true'], json: ['{"a":[1,2]}'], text: ['abc'] },
    ...rest,
  };
}

/** The realm whose client `app` has these members. */
export function withClient(changes: { readonly attributes?: object; readonly [member: string]: unknown }) {
  const other = { clientId: 'other', secret: 'secret-of-other', redirectUris: ['https://other.test/*'] };
  return { clients: [client(changes), other] } as Partial<RealmRepresentation>;
}

/** The realm whose client `app` has these attributes. */
export function withAttributes(...all: readonly object[]): Partial<RealmRepresentation>[] {
  return all.map((attributes) => withClient({ attributes }));
}

/** The realm whose user `alice` has these members. */
export function withUser(changes: object): Partial<RealmRepresentation> {
  return { users: [user(changes)] } as Partial<RealmRepresentation>;
}

/** The realm whose client `app` has this mapper, in every kind of token unless its configuration differs. */
export function withMapper(protocolMapper: string, config: object): Partial<RealmRepresentation> {
  const flags = ['access.token.claim', 'id.token.claim', 'userinfo.token.claim', 'introspection.token.claim'];
  const everywhere = Object.fromEntries(flags.map((flag) => [flag, 'true']));
  const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper, config: { ...everywhere, ...config } };
  return withClient({ protocolMappers: [mapper] });
}

/** The claims of all that a login gives, or its refusal. */
export async function claimsOfLogin(realm: ToggledRealm) {
  const { status, json } = await realm.login();
  if (status !== 200) return { refused: json };
  const access = String(json.access_token);
  return {
    access: claimsOf(access) as Claims,
    id: claimsOf(String(json.id_token)) as Claims,
    userinfo: (await realm.userinfo(access)).json as Claims,
    introspection: (await realm.introspect(access)).json as Claims,
  };
}
export type Claims = Readonly<Record<string, unknown>>;

/** One claim of all that a login gives; lists are sorted. */
export function claim(name: string): Toggle['ask'] {
  return async (realm) =>
    Object.fromEntries(Object.entries(await claimsOfLogin(realm)).map(([of, claims]) => [of, sorted(claims[name])]));
}

export function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}

/** Status and, for a refusal, its words. Pages of Keycloak's are refusals without words. */
export function verdict({ status, json, text }: Answer): readonly unknown[] {
  if (status < 400) return [status];
  if (text.startsWith('<')) return ['refused'];
  return [status, json.errorMessage ?? json.error_description ?? json.error];
}

/** Lifetimes of the tokens, and which tokens there are. */
export function tokensOf(answer: Answer): readonly unknown[] {
  if (answer.status !== 200) return verdict(answer);
  const { expires_in, refresh_expires_in, refresh_token, id_token } = answer.json;
  return [expires_in, refresh_expires_in, typeof refresh_token, typeof id_token];
}

export async function idOfAlice({ admin }: ToggledRealm): Promise<string> {
  const [alice] = (await admin('GET', '/users?username=alice&exact=true')).json as unknown as [{ id: string }];
  return alice.id;
}

/** Creates these clients: the verdict of each. */
export function creating(...clients: readonly object[]) {
  return async ({ admin }: ToggledRealm) => {
    const verdicts: unknown[] = [];
    for (const [index, one] of clients.entries()) {
      const body = { clientId: `new-${index}`, protocol: 'openid-connect', ...one };
      verdicts.push(verdict(await admin('POST', '/clients', body)));
    }
    return verdicts;
  };
}

/** The first client that `creating` has created; undefined if it was refused. */
export async function created({ admin }: ToggledRealm): Promise<Record<string, unknown> | undefined> {
  return ((await admin('GET', '/clients?clientId=new-0')).json as unknown as Record<string, unknown>[])[0];
}
