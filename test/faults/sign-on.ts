import { CALLBACK } from '../helpers/form-browser.js';
import { WEB } from '../helpers/login.js';
import type { Asking } from './asking.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

/** Alice's browser after a login: each of its authorization requests gets a code, without a page. */
export class SignOn {
  readonly #jar = new Map<string, string>();
  readonly #authorize: string;
  readonly #asking: Asking;

  constructor(asking: Asking, oidc: string) {
    const request = { client_id: WEB.client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' };
    this.#authorize = `${oidc}/auth?${new URLSearchParams(request)}`;
    this.#asking = asking;
  }

  /** @returns false if the host failed */
  async signIn(): Promise<boolean> {
    const page = await this.#send('a login page', this.#authorize);
    const action = /<form[^>]*\saction="([^"]*)"/.exec(page?.body ?? '')?.[1];
    if (action === undefined) return false;
    const url = new URL(action.replace(/&#38;|&amp;/g, '&'), this.#authorize).href;
    const back = await this.#send('a login', url, ALICE);
    return back?.location?.startsWith(CALLBACK) ?? false;
  }

  /** @returns undefined if the host failed; '' if it requires a login */
  async code(): Promise<string | undefined> {
    const answer = await this.#send('an authorization request', `${this.#authorize}&prompt=none`);
    if (answer === undefined) return undefined;
    return (answer.location && new URL(answer.location).searchParams.get('code')) || '';
  }

  async #send(what: string, url: string, form?: Readonly<Record<string, string>>) {
    const cookie = [...this.#jar].map((pair) => pair.join('=')).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const answer = await this.#asking.ask(what, url, { form, headers });
    for (const line of answer?.cookies ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /;\s*max-age=0\b/i.test(line)) this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return answer;
  }
}
