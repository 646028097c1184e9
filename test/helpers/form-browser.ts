import { createHash, randomBytes } from 'node:crypto';
import type { TestHost } from './host.js';

/** One answer; redirects are not followed. */
export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect. */
  readonly location: URL | undefined;
}

/** A browser without scripts: cookies, forms, and redirects that are returned instead of followed. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async open(url: string, init: RequestInit = {}): Promise<Visit> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', cookie, ...(init.headers as object) };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line) || value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      url,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, url),
    };
  }

  /** Posts the page's form with these fields, in addition to its hidden ones. */
  submit(page: Visit, fields: Record<string, string>): Promise<Visit> {
    return this.open(formAction(page), { method: 'POST', body: new URLSearchParams(fields) });
  }
}

/** Follows all redirects. */
export async function follow(browser: Browser, page: Visit): Promise<Visit> {
  return page.location === undefined ? page : follow(browser, await browser.open(page.location.href));
}

/** The address that the first form of the page is posted to. */
export function formAction(page: Visit): string {
  const action = /<form[^>]*\saction="([^"]*)"/.exec(page.text)?.[1];
  if (action === undefined) throw new Error(`the page has no form: ${page.status} ${page.text.slice(0, 300)}`);
  return new URL(unescapeHtml(action), page.url).href;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

export function unescapeHtml(text: string): string {
  return text.replace(
    /&#(\d+);|&(?:amp|lt|gt|quot);/g,
    (entity, code: string) => ENTITIES[entity] ?? String.fromCodePoint(Number(code)),
  );
}

export const CALLBACK = 'http://127.0.0.1:9999/cb';

export interface CodeRequest {
  readonly verifier: string;
  readonly url: string;
}

/**
 * The address of an authorization request of `web` with PKCE; `changes` replace parameters or remove them (undefined).
 */
export function codeRequest(
  host: TestHost,
  changes: Record<string, string | undefined> = {},
  realm = host.defaultRealm,
): CodeRequest {
  const verifier = randomBytes(32).toString('base64url');
  const parameters: Record<string, string | undefined> = {
    client_id: 'web',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return { verifier, url: `${host.oidc(realm)}/auth?${query}` };
}

/** Signs alice in on the login page at the address. */
export async function signIn(
  browser: Browser,
  url: string,
  fields: Record<string, string> = { username: 'alice', password: 'Alice-pass-1!' },
): Promise<Visit> {
  return browser.submit(await browser.open(url), fields);
}
