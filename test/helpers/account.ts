import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { codeRealm } from './code-realm.js';
import { type Browser, formAction, unescapeHtml, type Visit } from './form-browser.js';
import type { TestHost } from './host.js';

export const PASSWORD = 'Alice-pass-1!';
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0';

/** A user with all data that an account page shows. */
export function accountUser(username: string, more: Partial<UserRepresentation> = {}): UserRepresentation {
  return {
    username,
    email: `${username}@example.test`,
    emailVerified: true,
    enabled: true,
    firstName: 'Erin',
    lastName: 'Example',
    credentials: [{ type: 'password', value: PASSWORD }],
    ...more,
  };
}

/** The test realm with these users, who get the realm's default role unless they have roles. */
export function accountRealm(
  users: UserRepresentation[],
  changes: Partial<RealmRepresentation> = {},
  name = 'demo',
): RealmRepresentation {
  const realm = codeRealm(name, { providers: {}, ...changes });
  const realmRoles = [`default-roles-${name}`];
  return { ...realm, users: [...(realm.users ?? []), ...users.map((user) => ({ realmRoles, ...user }))] };
}

/** Follows redirects within the host only. */
export async function follow(browser: Browser, visit: Visit): Promise<Visit> {
  let last = visit;
  for (let hops = 0; last.location !== undefined; hops += 1) {
    if (hops > 8) throw new Error(`redirects have no end: ${last.location}`);
    last = await browser.open(last.location.href, { headers: { 'user-agent': FIREFOX } });
  }
  return last;
}

/** Opens a page of the account, and signs in if necessary. */
export async function openAccount(
  browser: Browser,
  host: TestHost,
  path = '/',
  user = { username: 'erin', password: PASSWORD },
): Promise<Visit> {
  const page = await follow(browser, await browser.open(`${host.realm(host.defaultRealm)}/account${path}`));
  return page.text.includes('id="kc-form-login"') ? signInOn(browser, page, user) : page;
}

export async function signInOn(
  browser: Browser,
  page: Visit,
  user = { username: 'erin', password: PASSWORD },
): Promise<Visit> {
  const answer = await browser.open(formAction(page), {
    method: 'POST',
    body: new URLSearchParams(user),
    headers: { 'user-agent': FIREFOX },
  });
  return follow(browser, answer);
}

/** The hidden fields of the page's form with that action or id. */
export function fieldsOf(page: Visit): Record<string, string> {
  const inputs = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
}

/** Posts a form of the account page with the page's own token, as a browser does. */
export async function send(
  browser: Browser,
  page: Visit,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Visit> {
  const { stateChecker = '' } = fieldsOf(page);
  const body = new URLSearchParams(fields);
  if (!body.has('stateChecker')) body.set('stateChecker', stateChecker);
  const base = page.url.replace(/\/account(?=[/?]|$).*$/, '/account');
  return browser.open(`${base}${path}`, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });
}

/** The heading of a page, with its messages. */
export function told({ text }: Visit): string[] {
  const alert = /class="alert-text">([^<]*)/.exec(text)?.[1];
  const errors = [...text.matchAll(/<p class="field-error"[^>]*>([^<]*)/g)].map(([, error]) => error);
  return [/<h1[^>]*>([^<]*)/.exec(text)?.[1], alert, ...errors]
    .filter((found) => found !== undefined)
    .map(unescapeHtml);
}
