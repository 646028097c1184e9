import type { Answer, RealmClient } from './realm-client.js';
import { APP } from './test-realm.js';

/**
 * Walks the forms of a login as a browser without scripts does: it keeps cookies, sends what the page holds and follows
 * redirects within the host. One to an application is the answer: its `headers.location` says where to.
 */
export class FormBrowser {
  readonly #realm: RealmClient;
  readonly #cookies = new Map<string, string>();

  constructor(realm: RealmClient) {
    this.#realm = realm;
  }

  /** The first page of a login for `app`. */
  logIn(clientId: string = APP.client_id): Promise<Answer> {
    return this.#begin({ client_id: clientId });
  }

  /** The page on which people register for `app`. The realm must let them: `testRealm` does where a plugin has a form action. */
  register(): Promise<Answer> {
    return this.#begin({ client_id: APP.client_id, prompt: 'create' });
  }

  #begin(parameters: Readonly<Record<string, string>>): Promise<Answer> {
    const query = new URLSearchParams({
      ...parameters,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://localhost/callback',
    });
    return this.get(`/protocol/openid-connect/auth?${query}`);
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, {});
  }

  /** A page of the user's account, after the login where that is asked for. @param path such as `/pages/acme-news` */
  async account(path: string, username: string): Promise<Answer> {
    const page = await this.get(`/account${path}`);
    if (!page.text.includes('id="kc-form-login"')) return page;
    return (await this.submit(page, { username, password: username })) ?? page;
  }

  /**
   * Fills the fields of a form, all others as they are, and sends it; undefined when there is no such form.
   * @param has a text of the form's markup; without it the first form of the page is meant
   */
  async submit(page: Answer, fields: Readonly<Record<string, string>>, has = ''): Promise<Answer | undefined> {
    const forms = page.text.matchAll(/<form[^>]*\saction="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g);
    const [, action = '', inner = ''] = [...forms].find(([, , markup = '']) => markup.includes(has)) ?? [];
    if (action === '') return undefined;
    const form: Record<string, string> = {};
    for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
      const name = /\sname="([^"]+)"/.exec(tag)?.[1];
      const isLeftOut = /\stype="(checkbox|radio)"/.test(tag) && !/\schecked\b/.test(tag);
      if (name !== undefined && !isLeftOut) form[plain(name)] = plain(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '');
    }
    const url = new URL(plain(action), this.#realm.url).href;
    return this.#send(url, { form: { ...form, ...fields } });
  }

  async #send(path: string, options: { form?: Record<string, string> }): Promise<Answer> {
    const answer = await this.#ask(path, options);
    const location = new URL(answer.headers.location ?? '', this.#realm.url);
    const isWithin = answer.headers.location !== undefined && location.origin === new URL(this.#realm.url).origin;
    return isWithin ? this.#send(location.href, {}) : answer;
  }

  async #ask(path: string, options: { form?: Record<string, string> }): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const answer = await this.#realm.fetch(path, { ...options, headers });
    for (const [, name = '', value = ''] of answer.setCookie.map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? [])) {
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function plain(html: string): string {
  return html.replace(/&(?:#(\d+)|(quot|apos|lt|gt|amp));/g, (_, code?: string, name = '') =>
    code === undefined ? (NAMED[name] ?? '') : String.fromCodePoint(Number(code)),
  );
}
