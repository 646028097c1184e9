import { HttpClient, type Sent } from '../bench/http-client.js';
import { atRate } from '../bench/paced-load.js';
import { SVC, WEB } from '../helpers/login.js';

/** The results of the requests of one kind. */
export interface Outcome {
  sent: number;
  /** By error, such as `503` or `ECONNRESET`. */
  readonly failures: Map<string, number>;
  /** Durations of successful requests in milliseconds. */
  readonly took: number[];
}

type Work = (traffic: Traffic) => Promise<void>;

/** A user who signs in, refreshes tokens, reads userinfo, and signs out again. */
interface Login {
  access: string;
  refresh: string;
}

/** Client credentials, introspection, password logins, refreshes and userinfo, in realistic proportions. */
const MIX: readonly (readonly [name: string, share: number, work: Work])[] = [
  ['client credentials', 0.25, (traffic) => traffic.clientCredentials()],
  ['introspection', 0.3, (traffic) => traffic.introspection()],
  ['refresh', 0.25, (traffic) => traffic.refresh()],
  ['userinfo', 0.17, (traffic) => traffic.userinfo()],
  ['password login', 0.03, (traffic) => traffic.login()],
];

/** Sends mixed requests at a fixed rate. */
export class Traffic {
  readonly outcomes = new Map<string, Outcome>();
  /** The newest refresh token of each login: none may be lost. */
  readonly #logins: Login[] = [];
  readonly #client = new HttpClient();
  readonly #oidc: string;

  constructor(url: string) {
    this.#oidc = `${url}/realms/demo/protocol/openid-connect`;
  }

  /**
   * @param rate requests per second
   * @param isOver called before each request
   */
  async run(rate: number, isOver: () => boolean): Promise<void> {
    for (let count = 0; count < 20; count += 1) await this.login();
    await this.clientCredentials();
    this.outcomes.clear();
    await atRate(rate, isOver, async (index, due) => {
      const [name, , work] = pick(index);
      const outcome = this.#of(name);
      outcome.sent += 1;
      try {
        await work(this);
        outcome.took.push(performance.now() - due);
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        const what = code ?? message;
        outcome.failures.set(what, (outcome.failures.get(what) ?? 0) + 1);
      }
    });
  }

  close(): void {
    this.#client.close();
  }

  async clientCredentials(): Promise<void> {
    await this.#token({ ...SVC, grant_type: 'client_credentials' });
  }

  async introspection(): Promise<void> {
    const login = this.#someone();
    // All logins may be in use.
    if (login === undefined) return;
    const { active } = await this.#post('token/introspect', { ...WEB, token: login.access });
    if (active !== true) throw new Error('a token that is good was called inactive');
  }

  async userinfo(): Promise<void> {
    const login = this.#someone();
    if (login === undefined) return;
    const { status } = await this.#client.send(`${this.#oidc}/userinfo`, {
      headers: { authorization: `Bearer ${login.access}` },
    });
    if (status !== 200) throw new Error(`userinfo ${status}`);
  }

  async refresh(): Promise<void> {
    // Removed while it is used, because a refresh token is valid once.
    const login = this.#logins.splice(Math.floor(Math.random() * this.#logins.length), 1)[0];
    if (login === undefined) return;
    const tokens = await this.#token({ ...WEB, grant_type: 'refresh_token', refresh_token: login.refresh });
    this.#logins.push({ access: tokens.access_token, refresh: tokens.refresh_token });
  }

  async login(): Promise<void> {
    const form = { ...WEB, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', scope: 'openid' };
    const tokens = await this.#token(form);
    this.#logins.push({ access: tokens.access_token, refresh: tokens.refresh_token });
    if (this.#logins.length > 400) this.#logins.shift();
  }

  #someone(): Login | undefined {
    return this.#logins[Math.floor(Math.random() * this.#logins.length)];
  }

  #token(form: Readonly<Record<string, string>>): Promise<{ access_token: string; refresh_token: string }> {
    return this.#post('token', form) as Promise<{ access_token: string; refresh_token: string }>;
  }

  async #post(path: string, form: NonNullable<Sent['form']>): Promise<Record<string, unknown>> {
    const { status, body } = await this.#client.send(`${this.#oidc}/${path}`, { form });
    if (status !== 200) throw new Error(`${path} ${status} ${body.slice(0, 120)}`);
    return JSON.parse(body) as Record<string, unknown>;
  }

  #of(name: string): Outcome {
    const outcome = this.outcomes.get(name) ?? { sent: 0, failures: new Map(), took: [] };
    this.outcomes.set(name, outcome);
    return outcome;
  }
}

/** The same mix in every hundred requests. */
function pick(index: number): (typeof MIX)[number] {
  // 37 and 100 are coprime, so all kinds of requests are interleaved.
  let place = ((index * 37) % 100) / 100;
  for (const kind of MIX) {
    if (place < kind[1]) return kind;
    place -= kind[1];
  }
  return MIX[0] as (typeof MIX)[number];
}

/** One line per kind: number, durations, failures. */
export function told(outcomes: ReadonlyMap<string, Outcome>): string {
  return [...outcomes]
    .map(([name, { sent, failures, took }]) => {
      const sorted = [...took].sort((a, b) => a - b);
      const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
      const failed = [...failures].map(([what, count]) => `${count} × ${what}`).join('; ') || 'none';
      return `  ${name}: ${sent} sent, p50 ${at(0.5)}, p99 ${at(0.99)}, failed: ${failed}`;
    })
    .join('\n');
}

export function failed(outcomes: ReadonlyMap<string, Outcome>): number {
  return [...outcomes.values()].reduce(
    (sum, { failures }) => sum + [...failures.values()].reduce((a, b) => a + b, 0),
    0,
  );
}
