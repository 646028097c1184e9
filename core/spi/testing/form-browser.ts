import { type Control, formsOf, type HtmlForm, isButton } from './html-forms.js';
import { type Answer, encoded, type FormValues, type RealmClient } from './realm-client.js';
import { APP } from './test-realm.js';

/**
 * Completes the forms of a login as a browser without scripts does. It stores cookies, submits the fields of the page
 * and follows redirects within the host. A redirect to an application is returned, with its target in
 * `headers.location`.
 */
export class FormBrowser {
  readonly #realm: RealmClient;
  readonly #cookies = new Map<string, string>();

  constructor(realm: RealmClient) {
    this.#realm = realm;
  }

  /** Returns the first page of a login for `app`. */
  logIn(clientId: string = APP.client_id): Promise<Answer> {
    return this.#begin({ client_id: clientId });
  }

  /**
   * Returns the page on which people register for `app`. The realm must allow it: `testRealm` does if a plugin has a
   * form action.
   */
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

  /** @param path a path below the realm's URL, or a whole URL, such as that of a mailed link */
  get(path: string): Promise<Answer> {
    return this.#followRedirects(path, {});
  }

  /** Returns a page of the user's account, after a login if one is required. @param path such as `/pages/acme-news` */
  async account(path: string, username: string): Promise<Answer> {
    const page = await this.get(`/account${path}`);
    if (!page.text.includes('id="kc-form-login"')) return page;
    return (await this.submit(page, { username, password: username })) ?? page;
  }

  /**
   * Fills in the fields of a form, and submits it as a browser does: with hidden fields, checked boxes, the selected or
   * first option of a list, and the pressed button. To press another button than the first, add its name to the fields.
   * @param fields values by name, which replace those of the page; a list for several values
   * @param has a text of the form's markup, such as `name="kc.action" value="add"`; default: the first form of the page
   * @returns the next page; undefined if the page has no such form
   */
  async submit(page: Answer, fields: FormValues, has = ''): Promise<Answer | undefined> {
    const form = formsOf(page.text).find(({ markup }) => markup.includes(has));
    if (form === undefined) return undefined;
    const url = new URL(form.action, page.url);
    const formFields = submittedFields(form, fields);
    if (form.method === 'POST') return this.#followRedirects(url.href, { form: formFields });
    url.search = encoded(formFields).toString();
    return this.#followRedirects(url.href, {});
  }

  async #followRedirects(path: string, options: { form?: FormValues }): Promise<Answer> {
    const answer = await this.#request(path, options);
    const location = new URL(answer.headers.location ?? '', answer.url);
    const isWithinHost = answer.headers.location !== undefined && location.origin === new URL(this.#realm.url).origin;
    return isWithinHost ? this.#followRedirects(location.href, {}) : answer;
  }

  async #request(path: string, options: { form?: FormValues }): Promise<Answer> {
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

/** The fields of a form that a browser submits. */
function submittedFields({ controls }: HtmlForm, fields: FormValues): FormValues {
  const namedControls = controls.filter(({ name }) => name !== '');
  const isPressed = namedControls.some((control) => isButton(control) && Object.hasOwn(fields, control.name));
  const firstButton = controls.find(isButton);
  const values = new Map<string, readonly string[]>();
  const add = ({ name, values: own }: Control) => values.set(name, [...(values.get(name) ?? []), ...own]);
  for (const control of namedControls) {
    if (!isButton(control) || (!isPressed && control === firstButton)) add(control);
  }
  for (const [name, value] of Object.entries(fields)) values.set(name, [value].flat());
  const entries = [...values].map(
    ([name, all]) => [name, all.map((value) => value.replaceAll(/\r?\n/g, '\r\n'))] as const,
  );
  return Object.fromEntries(entries.filter(([, all]) => all.length > 0));
}
