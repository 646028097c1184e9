import { adminHeaders, administer } from '../admin/admin-token.js';
import { CC, WEB } from '../bench-realm.js';
import { CodeBrowser } from '../code-flow-load.js';
import type { HttpClient } from '../http-client.js';
import type { Server } from '../processes.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import type { Work } from './costs.js';
import { LARGE, type Population, realmNameOf, userIdOf, usernameOf } from './populate.js';

const REDIRECT_URI = 'http://127.0.0.1/cb';
export const PASSWORD = 'alice';

const random = (count: number) => 1 + Math.floor(Math.random() * count);

/** The work of users, applications and admins, each for random users and realms. */
export async function worksOf(
  server: Server,
  client: HttpClient,
  { realms, users }: Population,
): Promise<readonly Work[]> {
  const oidc = oidcOf(server, LARGE);
  const token = `${oidc}/token`;
  const begun = async () => (await post(token, loginOf(random(users)))).refresh_token ?? '';
  /** Unused refresh tokens. */
  const free = await Promise.all(Array.from({ length: 64 }, begun));
  const { access_token: accessToken = '' } = await post(token, CC);
  let admin = { at: 0, headers: await adminHeaders(server) };
  const headers = async () => {
    if (performance.now() - admin.at > 30_000) admin = { at: performance.now(), headers: await adminHeaders(server) };
    return admin.headers;
  };
  const search = (name: string, path: () => string, times = 100): Work => ({
    work: `admin: ${name}`,
    times,
    atOnce: 1,
    once: async () => client.ok(`${server.url}/admin/realms/${path()}`, { headers: await headers() }),
  });
  return [
    { work: 'client_credentials', times: 1000, atOnce: 4, once: () => client.ok(token, { form: CC }) },
    {
      work: 'client_credentials in any of the realms',
      times: 500,
      atOnce: 4,
      once: () => client.ok(`${oidcOf(server, realmNameOf(random(realms)))}/token`, { form: CC }),
    },
    {
      work: 'introspection',
      times: 1000,
      atOnce: 4,
      once: () => client.ok(`${token}/introspect`, { form: { ...WEB_CC, token: accessToken } }),
    },
    {
      work: 'refresh',
      times: 1000,
      atOnce: 4,
      async once() {
        const form = { ...WEB, grant_type: 'refresh_token', refresh_token: free.shift() ?? (await begun()) };
        free.push((JSON.parse(await client.ok(token, { form })) as { refresh_token: string }).refresh_token);
      },
    },
    {
      work: 'login by the password grant, without its hash',
      times: 300,
      atOnce: 4,
      once: () => client.ok(token, { form: loginOf(random(users)) }),
    },
    {
      work: 'login in a browser, without its hash',
      times: 300,
      atOnce: 4,
      once: () => signIn(client, server, random(users)),
    },
    search('first page of users', () => `${LARGE}/users?first=0&max=100`),
    search('page of users in the middle', () => `${LARGE}/users?first=${Math.floor(users / 2)}&max=100`, 5),
    search('users by the start of a name', () => `${LARGE}/users?search=${usernameOf(random(users)).slice(0, -1)}`, 10),
    search('a user by address', () => `${LARGE}/users?exact=true&email=${usernameOf(random(users))}@example.com`),
    search('users by any part of a name', () => `${LARGE}/users?search=*${random(users)}*&max=20`, 5),
    search('number of users', () => `${LARGE}/users/count`, 5),
    search('sessions of a user', () => `${LARGE}/users/${userIdOf(random(users))}/sessions`),
    search('all realms, brief', () => '?briefRepresentation=true', 3),
    {
      work: 'sign-out of a user everywhere, by an admin',
      times: 100,
      atOnce: 1,
      once: async () =>
        administer(server, await headers(), 'POST', `/realms/${LARGE}/users/${userIdOf(random(users))}/logout`),
    },
    {
      work: 'sign-out by the application, with its login before',
      times: 100,
      atOnce: 4,
      async once() {
        const { refresh_token = '' } = JSON.parse(await client.ok(token, { form: loginOf(random(users)) })) as Record<
          string,
          string
        >;
        const { status, body } = await client.send(`${oidc}/logout`, { form: { ...WEB, refresh_token } });
        if (status !== 204) throw new Error(`logout answered ${status}: ${body}`);
      },
    },
  ];
}

const WEB_CC = { client_id: CC.client_id, client_secret: CC.client_secret };

export function loginOf(number: number) {
  return { ...WEB, grant_type: 'password', username: usernameOf(number), password: PASSWORD, scope: 'openid' };
}

function signIn(client: HttpClient, server: Server, number: number): Promise<void> {
  const oidc = oidcOf(server, LARGE);
  const query = new URLSearchParams({
    client_id: WEB.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    nonce: 'n',
  });
  const login = { username: usernameOf(number), password: PASSWORD };
  const plan = {
    authorize: `${oidc}/auth?${query}`,
    redirectUri: REDIRECT_URI,
    login,
    token: `${oidc}/token`,
    client: WEB,
  };
  return new CodeBrowser(client, plan).signIn();
}
