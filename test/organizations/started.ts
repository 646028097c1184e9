import type { ExecutionContext } from 'ava';
import type { UserRepresentation } from '../../core/model/representation.js';
import { type Answer, claimsOf, fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { type MailServer, startMailServer } from '../helpers/mail-server.js';
import { shownRealm } from '../helpers/shown-realm.js';

export const REALM = 'organizations';

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export interface Started {
  readonly host: TestHost;
  readonly mails: MailServer;
  readonly clock: TestClock;
  /** Ids of users by name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Calls below the realm's address with the access token that the user got first. */
  as(username: string): Call;
  token(username: string, form?: Record<string, string>, realm?: string): Promise<string>;
  /** A new organization that ada made. @returns its path */
  organization(name: string, more?: object): Promise<string>;
}

const VIEWS = ['view-users', 'send-mail', 'mail-any-address'];

export const person = (username: string, more: Partial<UserRepresentation> = {}): UserRepresentation => ({
  username,
  email: `${username}@example.com`,
  emailVerified: true,
  enabled: true,
  firstName: username,
  lastName: 'Example',
  credentials: [{ type: 'password', value: username }],
  ...more,
});

/** A host with the realm of the README, more users of it, and a second realm that is the same. */
export async function started(
  t: ExecutionContext,
  { isolation = 'none', config = {}, listens = true }: { isolation?: string; config?: object; listens?: boolean } = {},
): Promise<Started> {
  const [mails, shown] = await Promise.all([startMailServer(t), shownRealm(REALM)]);
  const clock = new TestClock();
  const resources = shown.providers?.['realm-restapi-extension'] as Record<string, { config?: object }>;
  const realm = {
    ...shown,
    smtpServer: mails.settings,
    // Users without a verified address get tokens, too.
    verifyEmail: false,
    ...(listens ? {} : { eventsListeners: ['jboss-logging'] }),
    clients: [
      ...(shown.clients ?? []),
      {
        clientId: 'narrow',
        publicClient: true,
        directAccessGrantsEnabled: true,
        fullScopeAllowed: false,
        redirectUris: ['http://127.0.0.1:3000/*'],
      },
    ],
    providers: {
      ...shown.providers,
      'realm-restapi-extension': {
        ...resources,
        orgs: { enabled: true, config: { ...resources.orgs?.config, ...config } },
      },
    },
    users: [
      ...(shown.users ?? []),
      ...['bob', 'carol', 'dave', 'erin'].map((name) => person(name)),
      person('unverified', { emailVerified: false }),
      person('creator', { clientRoles: { 'realm-management': ['create-organization'] } }),
      person('viewer', { clientRoles: { 'realm-management': ['view-organizations'] } }),
      person('root', { clientRoles: { 'realm-management': ['realm-admin'] } }),
    ],
  };
  const host = await startHost(t, {
    realms: [realm, { ...realm, realm: 'other' }],
    plugins: [{ module: '@keyhost/organizations', isolation, grants: { '*': VIEWS } }],
    clock,
  });
  const token = async (username: string, form: Record<string, string> = {}, name = REALM) => {
    const grant = { grant_type: 'password', client_id: 'app', username, password: username, scope: 'openid' };
    const { json, text } = await host.token(name, { ...grant, ...form });
    if (json.access_token === undefined) throw new Error(`${username}: ${text}`);
    return json.access_token as string;
  };
  const tokens: Record<string, string> = {};
  const ids: Record<string, string> = {};
  for (const { username } of realm.users) {
    tokens[username] = await token(username);
    ids[username] = String(claimsOf(tokens[username]).sub);
  }
  const as =
    (username: string): Call =>
    (method, path, body, headers = {}) =>
      fetchAnswer(`${host.realm(REALM)}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[username]}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
  return {
    host,
    mails,
    clock,
    ids,
    as,
    token,
    async organization(name, more = {}) {
      const { status, headers, text } = await as('ada')('POST', '/orgs', { name, ...more });
      if (status !== 201) throw new Error(text);
      return new URL(headers.get('location') ?? '').pathname.replace(`/realms/${REALM}`, '');
    },
  };
}
