import { Browser, CALLBACK, codeRequest, signIn, unescapeHtml, type Visit } from './form-browser.js';
import type { TestHost } from './host.js';
import { post, type Tokens, WEB } from './login.js';

/** A signed-in browser, with the tokens of `web`. */
export interface LoggedIn {
  readonly browser: Browser;
  readonly tokens: Tokens;
}

export async function logInByBrowser(
  host: TestHost,
  fields?: Record<string, string>,
  browser = new Browser(),
): Promise<LoggedIn> {
  const request = codeRequest(host);
  const back = await signIn(browser, request.url, fields);
  return { browser, tokens: await tokensOf(host, back, request.verifier) };
}

/** Tokens of another client by single sign-on. */
export async function joinByBrowser(
  host: TestHost,
  browser: Browser,
  client: { client_id: string; client_secret: string },
  redirectUri: string,
): Promise<Tokens> {
  const request = codeRequest(host, { client_id: client.client_id, redirect_uri: redirectUri });
  return tokensOf(host, await browser.open(request.url), request.verifier, client, redirectUri);
}

async function tokensOf(
  host: TestHost,
  back: Visit,
  verifier: string,
  client: Record<string, string> = WEB,
  redirectUri = CALLBACK,
): Promise<Tokens> {
  const code = back.location?.searchParams.get('code') ?? '';
  const form = {
    ...client,
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const answer = await post(host, 'token', form);
  if (answer.status !== 200) throw new Error(`the code was answered ${answer.status} ${answer.text}`);
  return answer.json as unknown as Tokens;
}

/** The address of a logout request. */
export const logoutUrl = (host: TestHost, parameters: Record<string, string> = {}, realm = host.defaultRealm) =>
  `${host.oidc(realm)}/logout?${new URLSearchParams(parameters)}`;

/** Presses the button of a confirmation page. */
export function confirmLogout(browser: Browser, page: Visit): Promise<Visit> {
  const code = /name="session_code" value="([^"]*)"/.exec(page.text)?.[1];
  return browser.submit(page, { session_code: unescapeHtml(code ?? ''), confirmLogout: '' });
}

/** True while the browser gets a code without a password. */
export async function isLoggedIn(host: TestHost, browser: Browser): Promise<boolean> {
  const { location } = await browser.open(codeRequest(host, { prompt: 'none' }).url);
  const error = location?.searchParams.get('error') ?? null;
  if (error !== null && error !== 'login_required') throw new Error(`prompt=none was answered ${error}`);
  return error === null;
}
