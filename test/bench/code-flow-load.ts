import type { Answer, HttpClient } from './http-client.js';

/** A browser login with the exchange of its code. */
export interface CodePlan {
  /** The authorization request. */
  readonly authorize: string;
  readonly redirectUri: string;
  /** Posted to the page's form, if there is one. */
  readonly login: Readonly<Record<string, string>>;
  readonly token: string;
  readonly client: Readonly<Record<string, string>>;
  /** True to reuse the browser and its session. */
  readonly kept?: boolean;
}

const MOST_STEPS = 10;

/** A browser that signs in repeatedly. Each time it is new to the server, unless its session is reused. */
export class CodeBrowser {
  readonly #client: HttpClient;
  readonly #plan: CodePlan;
  readonly #jar = new Map<string, string>();

  constructor(client: HttpClient, plan: CodePlan) {
    this.#client = client;
    this.#plan = plan;
  }

  /** @throws Error if there are no tokens at the end */
  async signIn(): Promise<void> {
    const { authorize, redirectUri, login, kept } = this.#plan;
    if (kept !== true) this.#jar.clear();
    let url = authorize;
    let form: Readonly<Record<string, string>> | undefined;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const answer = await this.#send(url, form);
      form = undefined;
      if (answer.location?.startsWith(redirectUri)) return this.#redeem(answer.location);
      if (answer.location !== undefined) url = new URL(answer.location, url).href;
      else {
        const action = /<form[^>]*\saction="([^"]*)"/.exec(answer.body)?.[1];
        if (action === undefined) throw new Error(`${url} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
        url = new URL(action.replace(/&#38;|&amp;/g, '&').replace(/&#x?[0-9a-f]+;/gi, ''), url).href;
        form = login;
      }
    }
    throw new Error('the login goes round in circles');
  }

  async #redeem(location: string): Promise<void> {
    const { client, redirectUri, token } = this.#plan;
    const code = new URL(location).searchParams.get('code');
    if (code === null) throw new Error(`no code: ${location}`);
    await this.#client.ok(token, {
      form: { ...client, grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    });
  }

  async #send(url: string, form: Readonly<Record<string, string>> | undefined): Promise<Answer> {
    const cookie = [...this.#jar].map((pair) => pair.join('=')).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const answer = await this.#client.send(url, { form, headers });
    for (const line of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /;\s*max-age=0\b/i.test(line)) this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    return answer;
  }
}
