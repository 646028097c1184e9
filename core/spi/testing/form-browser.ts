import { type Control, formsOf, type HtmlForm, isButton } from './html-forms.js';
import { type Answer, encoded, type FormValues, type RealmClient } from './realm-client.js';
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

  /** @param path below the realm's address, or a whole URL, such as that of a mailed link */
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
   * Fills the fields of a form, and sends it as a browser does: hidden fields, checked boxes, the option of a list that is selected or
   * else the first, and the pressed button. A button is pressed by its name among the fields; without one it is the first of the form.
   * @param fields values by name; of a field that is sent several times, a list. They take the place of what the page has
   * @param has a text of the form's markup, such as `name="kc.action" value="add"`; default: the first form of the page
   * @returns the next page; undefined if the page has no such form
   */
  async submit(page: Answer, fields: FormValues, has = ''): Promise<Answer | undefined> {
    const form = formsOf(page.text).find(({ markup }) => markup.includes(has));
    if (form === undefined) return undefined;
    const url = new URL(form.action, page.url);
    const sent = sentBy(form, fields);
    if (form.method === 'POST') return this.#send(url.href, { form: sent });
    url.search = encoded(sent).toString();
    return this.#send(url.href, {});
  }

  async #send(path: string, options: { form?: FormValues }): Promise<Answer> {
    const answer = await this.#ask(path, options);
    const location = new URL(answer.headers.location ?? '', answer.url);
    const isWithin = answer.headers.location !== undefined && location.origin === new URL(this.#realm.url).origin;
    return isWithin ? this.#send(location.href, {}) : answer;
  }

  async #ask(path: string, options: { form?: FormValues }): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const answer = await this.#realm.fetch(path, { ...options, headers });
    for (const line of answer.setCookie) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=(0|-\d+)\s*(;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** What a browser sends of a form. */
function sentBy({ controls }: HtmlForm, fields: FormValues): FormValues {
  const named = controls.filter(({ name }) => name !== '');
  const isPressed = named.some((control) => isButton(control) && Object.hasOwn(fields, control.name));
  const first = controls.find(isButton);
  const values = new Map<string, readonly string[]>();
  const add = ({ name, values: own }: Control) => values.set(name, [...(values.get(name) ?? []), ...own]);
  for (const control of named) {
    if (!isButton(control) || (!isPressed && control === first)) add(control);
  }
  for (const [name, value] of Object.entries(fields)) values.set(name, [value].flat());
  const sent = [...values].map(([name, all]) => [name, all.map((one) => one.replaceAll(/\r?\n/g, '\r\n'))] as const);
  return Object.fromEntries(sent.filter(([, all]) => all.length > 0));
}
