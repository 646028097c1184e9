import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../json-schema.js';
import { FormBrowser } from '../form-browser.js';
import type { RealmClient } from '../realm-client.js';
import { APP } from '../test-realm.js';
import { answerPages, signInByPassword } from './answer-pages.js';
import type { Observations } from './observed-plugin.js';
import type { Place } from './place.js';

/** Requires the action at the user's next login, and answers its pages. */
export async function requireAction(place: Place, alias: string, seen: Observations): Promise<void> {
  const { url, token } = await adminAccess(place);
  await place.realm.fetch(url, { method: 'PUT', token, json: { requiredActions: [alias] } });
  const browser = new FormBrowser(place.realm);
  await answerPages(browser, await signInByPassword(browser, place.username), seen);
}

/** Sends the user a link by mail, as an admin. */
export async function sendMailAsAdmin(place: Place): Promise<void> {
  const { url, token } = await adminAccess(place);
  await place.realm.fetch(`${url}/execute-actions-email`, { method: 'PUT', token, json: ['UPDATE_PASSWORD'] });
}

/** A direct grant of the user, for `app`. */
export function logInByPassword(realm: RealmClient, username: string) {
  return realm.tokenRequest({ ...APP, grant_type: 'password', username, password: username, scope: 'openid' });
}

/** Sends the requests that a client can send, and creates and changes a client. */
export async function sendClientRequests({ host, realm, username }: Place): Promise<void> {
  const { json } = await logInByPassword(realm, username);
  const { access_token: token = '', refresh_token = '' } = (json ?? {}) as Record<string, string>;
  const browser = new FormBrowser(realm);
  await browser.submit(await browser.logIn(), { username, password: username });
  await realm.tokenRequest({ ...APP, grant_type: 'refresh_token', refresh_token });
  await realm.tokenRequest({ ...APP, grant_type: 'client_credentials', scope: 'openid' });
  await realm.fetch('/protocol/openid-connect/userinfo', { token });
  for (const path of ['token/introspect', 'revoke', 'logout', 'ext/par/request', 'auth/device']) {
    const form = { ...APP, token, refresh_token, response_type: 'code', redirect_uri: 'http://localhost/cb' };
    await realm.fetch(`/protocol/openid-connect/${path}`, { form });
  }
  const admin = { token: await realm.token('dave') };
  const clients = `${host.url}/admin/realms/${realm.name}/clients`;
  const created = await realm.fetch(clients, { ...admin, json: { clientId: randomUUID() } });
  const { location: clientUrl } = created.headers;
  if (clientUrl === undefined) return;
  await realm.fetch(clientUrl, { ...admin, method: 'PUT', json: { description: username } });
  await realm.fetch(clientUrl, { ...admin, method: 'DELETE' });
}

/** Sets the user's password, as an admin. */
export async function setPassword(place: Place, value: string): Promise<void> {
  const { url, token } = await adminAccess(place);
  await place.realm.fetch(`${url}/reset-password`, { method: 'PUT', token, json: { type: 'password', value } });
}

/** Returns the user's URL in the Admin REST API, and the token of a realm admin. */
export async function adminAccess({
  host,
  realm,
  username,
}: Place): Promise<{ url: string; token: string; user: JsonObject }> {
  const token = await realm.token('dave');
  const users = `${host.url}/admin/realms/${realm.name}/users`;
  const { json } = await realm.fetch(`${users}?username=${username}&exact=true`, { token });
  const [user = {}] = json as JsonObject[];
  return { url: `${users}/${user.id}`, token, user };
}
