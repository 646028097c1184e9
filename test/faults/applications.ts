import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Sent } from '../bench/http-client.js';
import { atRate } from '../bench/paced-load.js';
import { CALLBACK } from '../helpers/form-browser.js';
import { ALICE_LOGIN, basic, bearer, NL, SVC, WEB } from '../helpers/login.js';
import { ALICE } from '../helpers/realms.js';
import { Asking } from './asking.js';
import type { Ledger } from './ledger.js';
import { SignOn } from './sign-on.js';

const MOST_LOGINS = 200;
const MOST_UNDER_WAY = 40;
/** How long the admin uses an access token, in milliseconds; shorter than it lives. */
const ADMIN_TOKEN_MS = 60_000;
const AT_ONCE = 8;
/** Interval in milliseconds and number of retries of a check that is impossible at the moment. */
const [AGAIN_MS, AGAIN] = [500, 120] as const;

/** An acknowledged login, with its latest tokens. */
interface Login {
  readonly access: string;
  readonly refresh: string;
  /** The previous refresh token. */
  readonly spent?: string;
  /** Shared by all tokens of the session. */
  readonly session: { isEnding: boolean };
}

type Work = (applications: Applications) => Promise<void>;

/** The requests of every twenty, interleaved. */
const MIX: readonly Work[] = [
  ...Array.from({ length: 2 }, (): Work => (all) => all.clientCredentials()),
  ...Array.from({ length: 3 }, (): Work => (all) => all.introspection()),
  ...Array.from({ length: 6 }, (): Work => (all) => all.refresh()),
  ...Array.from({ length: 3 }, (): Work => (all) => all.code()),
  ...Array.from({ length: 2 }, (): Work => (all) => all.link()),
  ...Array.from({ length: 2 }, (): Work => (all) => all.login()),
  (all) => all.logout(),
  (all) => all.user(),
];

/**
 * Applications of the realm `demo`. They record everything that was acknowledged to them, and check later that it still
 * holds. Requests that were answered with 503, or not at all, are not recorded, because their effect is unknown.
 */
export class Applications {
  readonly #ledger: Ledger;
  readonly #asking: Asking;
  readonly #realm: string;
  readonly #oidc: string;
  readonly #users: string;
  readonly #prefix = `u-${Date.now().toString(36)}`;
  #logins: Login[] = [];
  #codes: string[] = [];
  #links: string[] = [];
  #loggedOut: string[] = [];
  #created: string[] = [];
  #count = 0;
  #admin = '';
  #adminSince = 0;
  #signOn: SignOn | undefined;

  /** @param limit milliseconds within which the host must answer, also during a fault */
  constructor(url: string, ledger: Ledger, limit: number) {
    this.#ledger = ledger;
    this.#asking = new Asking(ledger, limit);
    this.#realm = `${url}/realms/demo`;
    this.#oidc = `${this.#realm}/protocol/openid-connect`;
    this.#users = `${url}/admin/realms/demo/users`;
  }

  /** Signs in the initial users. */
  async begin(): Promise<void> {
    await this.#again('a browser could not sign in', () => this.#signInAnew());
    for (let count = 0; count < 20; count += 1) await this.login();
  }

  /** @param rate requests per second, if the machine can send them @param isOver called before each request */
  async run(rate: number, isOver: () => boolean): Promise<void> {
    let underWay = 0;
    await atRate(rate, isOver, async (index) => {
      // Skip requests if the machine is too busy: the host is not at fault.
      if (underWay >= MOST_UNDER_WAY) return;
      underWay += 1;
      // 7 and 20 are coprime, so all kinds of requests are interleaved.
      await (MIX[(index * 7) % MIX.length] as Work)(this);
      underWay -= 1;
    });
  }

  close(): void {
    this.#asking.close();
  }

  async clientCredentials(): Promise<void> {
    const answer = await this.#post('client credentials', 'token', { ...SVC, grant_type: 'client_credentials' });
    this.#expect(answer, 200, 'a client was refused its token');
  }

  async introspection(): Promise<void> {
    const login = this.#logins[Math.floor(Math.random() * this.#logins.length)];
    if (login === undefined) return;
    const answer = await this.#post('introspection', 'token/introspect', { ...WEB, token: login.access });
    if (answer === undefined || login.session.isEnding) return;
    if (!answer.body.includes('"active":true'))
      this.#ledger.lose('an access token that is good was called inactive', `${answer.status} ${answer.body}`);
  }

  async login(): Promise<void> {
    if (this.#logins.length > MOST_LOGINS) return this.logout();
    const answer = await this.#post('a password login', 'token', { ...WEB, ...ALICE_LOGIN, scope: 'openid' });
    if (this.#expect(answer, 200, 'a good password was refused')) this.#keep(answer);
  }

  async refresh(): Promise<void> {
    const login = this.#take();
    if (login === undefined) return;
    const answer = await this.#refresh(login.refresh);
    if (this.#expect(answer, 200, 'a refresh token that is good was refused')) this.#keep(answer, login);
  }

  async logout(): Promise<void> {
    const login = this.#take();
    if (login === undefined) return;
    login.session.isEnding = true;
    const answer = await this.#post('a logout', 'logout', { ...WEB, refresh_token: login.refresh });
    if (this.#expect(answer, 204, 'a logout was refused')) this.#loggedOut.push(login.refresh);
  }

  async code(): Promise<void> {
    const signOn = this.#signOn;
    const code = await signOn?.code();
    // The check of the codes ends those of an abandoned browser session.
    if (code === undefined || signOn !== this.#signOn) return;
    if (code === '') return this.#ledger.lose('a session that was acknowledged is gone');
    const answer = await this.#redeem(code);
    if (signOn === this.#signOn && this.#expect(answer, 200, 'a code that is good was refused')) this.#codes.push(code);
  }

  /** Every third link is followed twice at the same time. */
  async link(): Promise<void> {
    this.#count += 1;
    const answer = await this.#ask('a link', `${this.#realm}/newsletter/generate-token`, {
      json: { userId: ALICE, applicationId: '42' },
      headers: basic(NL.client_id, NL.client_secret),
    });
    if (!this.#expect(answer, 200, 'a client was refused its link')) return;
    const { token } = JSON.parse(answer.body) as { token: string };
    const times = this.#count % 3 === 0 ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => this.#follow(token)));
    const honoured = answers.filter((one) => one?.status === 200).length;
    if (honoured > 1) this.#ledger.lose('a link was honoured twice at once');
    if (honoured > 0) this.#links.push(token);
    else if (!answers.includes(undefined)) this.#ledger.lose('a link that is good was refused', answers[0]?.body);
  }

  async user(): Promise<void> {
    this.#count += 1;
    const username = `${this.#prefix}-${this.#count}`;
    const json = { username, enabled: true };
    if (performance.now() - this.#adminSince > ADMIN_TOKEN_MS && !(await this.#signInAdmin())) return;
    const answer = await this.#ask('a new user', this.#users, { json, headers: bearer(this.#admin) });
    if (!this.#expect(answer, 201, 'a new user was refused')) return;
    this.#ledger.acknowledged();
    this.#created.push(username);
  }

  /** Waits until something new was acknowledged that `check` can verify. */
  async acknowledges(): Promise<void> {
    const before = this.#acknowledged;
    await this.#again('nothing was acknowledged', async () => this.#acknowledged > before);
  }

  get #acknowledged(): number {
    return this.#codes.length + this.#links.length + this.#loggedOut.length + this.#created.length;
  }

  /** Checks that everything acknowledged so far holds; half of the logins continue. */
  async check(): Promise<void> {
    const codes = this.#codes;
    const links = this.#links;
    const loggedOut = this.#loggedOut;
    const created = this.#created;
    [this.#codes, this.#links, this.#loggedOut, this.#created] = [[], [], [], []];
    const logins = this.#logins.splice(0, Math.ceil(this.#logins.length / 2));
    for (const { session } of logins) session.isEnding = true;
    await this.#again('a browser could not sign in', () => this.#signInAnew());
    const checks = [
      ...codes.map((code) => () => this.#spent('a code that was spent', () => this.#redeem(code))),
      ...links.map((key) => () => this.#spent('a link that was followed', () => this.#follow(key))),
      ...loggedOut.map((token) => () => this.#spent('a session that was logged out', () => this.#refresh(token))),
      ...created.map((username) => () => this.#exists(username)),
      ...logins.map((login, index) => () => this.#holds(login, index % 2 === 0)),
    ];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let check = checks.pop(); check !== undefined; check = checks.pop()) await check();
      }),
    );
  }

  async #spent(what: string, present: () => Promise<Answer | undefined>): Promise<void> {
    const answer = await this.#certain(what, present);
    if (answer?.status === 200) this.#ledger.lose(`${what} was honoured again`, answer.body);
  }

  async #exists(username: string): Promise<void> {
    const url = `${this.#users}?${new URLSearchParams({ username, exact: 'true' })}`;
    const sent = { headers: bearer(this.#admin) };
    const answer = await this.#certain('a new user', () => this.#ask('a search', url, sent));
    if (answer === undefined) return;
    const { status, body } = answer;
    const count = status === 200 ? (JSON.parse(body) as unknown[]).length : 0;
    if (count !== 1) this.#ledger.lose(`a user that was acknowledged is there ${count} times`, `${status} ${body}`);
  }

  /** Uses the newest refresh token, and the login continues; or the previous one, which ends it. */
  async #holds(login: Login, byNewest: boolean): Promise<void> {
    const { spent } = login;
    if (!byNewest && spent !== undefined)
      return this.#spent('a refresh token that was spent', () => this.#refresh(spent));
    // Only once: if the result is unknown, the token must not be presented again.
    this.#ledger.checked += 1;
    const answer = await this.#refresh(login.refresh);
    if (!this.#expect(answer, 200, 'the newest refresh token was refused')) return;
    login.session.isEnding = false;
    this.#keep(answer, login);
  }

  async #certain(what: string, ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    this.#ledger.checked += 1;
    return this.#again(`${what} could not be looked after`, ask);
  }

  async #again<T>(failure: string, attempt: () => Promise<T | undefined | false>): Promise<T | undefined> {
    for (let count = 0; count < AGAIN; count += 1) {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
      await sleep(AGAIN_MS);
    }
    this.#ledger.lose(failure);
    return undefined;
  }

  async #signInAdmin(): Promise<boolean> {
    const form = { ...WEB, ...ALICE_LOGIN, username: 'dave', password: 'Dave-pass-1!' };
    const answer = await this.#post("the admin's login", 'token', form);
    if (!this.#expect(answer, 200, 'a good password was refused')) return false;
    this.#admin = (JSON.parse(answer.body) as { access_token: string }).access_token;
    this.#adminSince = performance.now();
    return true;
  }

  async #signInAnew(): Promise<boolean> {
    if (!(await this.#signInAdmin())) return false;
    const signOn = new SignOn(this.#asking, this.#oidc);
    if (!(await signOn.signIn())) return false;
    this.#signOn = signOn;
    return true;
  }

  #take(): Login | undefined {
    return this.#logins.splice(Math.floor(Math.random() * this.#logins.length), 1)[0];
  }

  #keep({ body }: Answer, before?: Login): void {
    const { access_token: access, refresh_token: refresh } = JSON.parse(body) as Record<string, string>;
    this.#ledger.acknowledged();
    if (access === undefined || refresh === undefined) this.#ledger.lose('tokens were left out', body);
    else
      this.#logins.push(
        before === undefined
          ? { access, refresh, session: { isEnding: false } }
          : { access, refresh, spent: before.refresh, session: before.session },
      );
  }

  #expect(answer: Answer | undefined, status: number, otherwise: string): answer is Answer {
    if (answer === undefined) return false;
    if (answer.status !== status) this.#ledger.lose(otherwise, `${answer.status} ${answer.body.slice(0, 200)}`);
    return answer.status === status;
  }

  #refresh(token: string): Promise<Answer | undefined> {
    return this.#post('a refresh', 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: token });
  }

  #redeem(code: string): Promise<Answer | undefined> {
    const form = { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    return this.#post("a code's exchange", 'token', form);
  }

  #follow(key: string): Promise<Answer | undefined> {
    return this.#ask('a link', `${this.#realm}/login-actions/action-token?${new URLSearchParams({ key })}`, {});
  }

  #post(what: string, path: string, form: NonNullable<Sent['form']>): Promise<Answer | undefined> {
    return this.#ask(what, `${this.#oidc}/${path}`, { form });
  }

  #ask(what: string, url: string, sent: Sent): Promise<Answer | undefined> {
    return this.#asking.ask(what, url, sent);
  }
}
