import test from 'ava';
import { codeAt, findCounter, fromBase32, toBase32 } from '../../core/login/steps/otp/one-time-password.js';
import type { OtpFormat } from '../../core/model/otp-policy.js';
import type {
  CredentialRepresentation,
  RealmRepresentation,
  UserRepresentation,
} from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';

const TOTP: OtpFormat = { subType: 'totp', digits: 6, algorithm: 'HmacSHA1', period: 30, counter: 0 };
const SECRET = 'rkQ2mYqH1bX0c9ZpLw7T';

/** A credential as Keycloak exports it. */
function otp(data: object = {}, value = SECRET): CredentialRepresentation {
  const credentialData = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1', ...data };
  return { type: 'otp', secretData: JSON.stringify({ value }), credentialData: JSON.stringify(credentialData) };
}

/** The tests that move it run one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

/** A realm whose alice has these credentials in addition to her password. */
function withCredentials(
  credentials: CredentialRepresentation[],
  changes: Partial<RealmRepresentation> = {},
): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, { providers: {}, ...changes });
    const users = (base.users ?? []).map((user: UserRepresentation) =>
      user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), ...credentials] } : user,
    );
    return { ...base, users };
  });
}

const now = (format: Partial<OtpFormat> = {}, secret = Buffer.from(SECRET), steps = 0) => {
  const full = { ...TOTP, ...format };
  return codeAt(secret, Math.floor(clock.now() / 1000 / full.period) + steps, full);
};
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const asks = ({ text }: Visit) => /name="otp"/.test(text);
const grant = async (host: TestHost, more: Record<string, string>) => {
  const { status, json } = await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, ...more });
  return status === 200 ? 'tokens' : String(json.error_description);
};

test('one-time passwords: codes are those of RFC 4226 and RFC 6238, and base32 is that of RFC 4648', (t) => {
  const secret = Buffer.from('12345678901234567890');
  const hotp = { digits: 6, algorithm: 'HmacSHA1' } as const;
  t.deepEqual(
    [0, 1, 9].map((counter) => codeAt(secret, counter, hotp)),
    ['755224', '287082', '520489'],
  );
  const totp = (algorithm: OtpFormat['algorithm'], key: Buffer, seconds: number) =>
    codeAt(key, Math.floor(seconds / 30), { digits: 8, algorithm });
  t.is(totp('HmacSHA1', secret, 20_000_000_000), '65353130');
  t.is(totp('HmacSHA256', Buffer.from('12345678901234567890123456789012'), 59), '46119246');
  t.is(totp('HmacSHA512', Buffer.from('1234567890'.repeat(7).slice(0, 64)), 59), '90693936');
  t.is(toBase32(Buffer.from('foobar')), 'MZXW6YTBOI');
  t.is(fromBase32('mzxw 6ytb oi==').toString(), 'foobar');
  const at = (steps: number) =>
    findCounter(secret, codeAt(secret, 1000 + steps, hotp), TOTP, { window: 1, now: 30_000_500 });
  t.deepEqual([-2, -1, 0, 1, 2].map(at), [undefined, 999, 1000, 1001, undefined]);
});

test.serial(
  'one-time passwords: a user of Keycloak’s with a one-time password logs in with it, and with nothing less',
  async (t) => {
    const base32Secret = toBase32(Buffer.from('another secret of 20'));
    const kinds: [CredentialRepresentation, () => string][] = [
      [otp(), () => now()],
      [
        otp({ digits: 8, algorithm: 'HmacSHA256', period: 60 }),
        () => now({ digits: 8, algorithm: 'HmacSHA256', period: 60 }),
      ],
      [otp({ secretEncoding: 'BASE32' }, base32Secret), () => now({}, Buffer.from('another secret of 20'))],
    ];
    for (const [credential, code] of kinds) {
      const host = await withCredentials([credential]);
      const browser = new Browser();
      const page = await signIn(browser, codeRequest(host).url);
      t.true(asks(page));
      t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
      for (const wrong of ['', '000000', 'x'.repeat(5000), now({}, Buffer.from('x'))]) {
        const again = await browser.submit(page, { otp: wrong });
        t.true(asks(again));
        t.regex(again.text, /Invalid authenticator code/);
      }
      t.is(
        (await browser.open(codeRequest(host, { prompt: 'none' }).url)).location?.searchParams.get('error'),
        'login_required',
      );
      const right = code();
      t.true(isIn(await browser.submit(page, { otp: `${right.slice(0, 3)} ${right.slice(3)}` })));
      t.is(await grant(host, {}), 'Invalid user credentials');
      t.is(await grant(host, { totp: '000000' }), 'Invalid user credentials');
      clock.forward(180);
      t.is(await grant(host, { totp: code() }), 'tokens');
    }
  },
);

test.serial('one-time passwords: a code is good once, at whatever door, also for two at the same time', async (t) => {
  const host = await withCredentials([otp()]);
  const code = now();
  t.is(await grant(host, { totp: code }), 'tokens');
  t.is(await grant(host, { totp: code }), 'Invalid user credentials');
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url);
  t.true(asks(await browser.submit(page, { otp: code })));
  const next = now({}, undefined, 1);
  const both = await Promise.all([grant(host, { totp: next }), grant(host, { totp: next })]);
  t.deepEqual(both.sort(), ['Invalid user credentials', 'tokens']);
  t.is(await grant(host, { totp: now({}, undefined, 2) }), 'Invalid user credentials', 'too early');
  const lax = await withCredentials([otp()], { otpPolicyCodeReusable: true });
  for (let times = 0; times < 2; times += 1) t.is(await grant(lax, { totp: now() }), 'tokens');
});

test.serial('one-time passwords: codes by counter move on, and a counter that was passed is over', async (t) => {
  const host = await withCredentials([otp({ subType: 'hotp', counter: 5 })], { otpPolicyLookAheadWindow: 2 });
  const code = (counter: number) => codeAt(Buffer.from(SECRET), counter, TOTP);
  for (const [counter, outcome] of [
    [4, 'Invalid user credentials'],
    [8, 'Invalid user credentials'],
    [7, 'tokens'],
    [7, 'Invalid user credentials'],
    [6, 'Invalid user credentials'],
    [8, 'tokens'],
  ] as const) {
    t.is(await grant(host, { totp: code(counter) }), outcome, String(counter));
  }
});

test.serial(
  'one-time passwords: guesses at codes are counted, and a known password does not wipe them out',
  async (t) => {
    const host = await withCredentials([otp()], {
      bruteForceProtected: true,
      failureFactor: 4,
      waitIncrementSeconds: 60,
      quickLoginCheckMilliSeconds: 0,
    });
    for (let guess = 0; guess < 3; guess += 1) t.is(await grant(host, { totp: '000000' }), 'Invalid user credentials');
    const browser = new Browser();
    const page = await signIn(browser, codeRequest(host).url);
    t.true(asks(page));
    for (let guess = 0; guess < 2; guess += 1) await browser.submit(page, { otp: '000000' });
    const locked = await browser.submit(page, { otp: now() });
    t.regex(locked.text, /Invalid authenticator code/);
    const events = (await host.stored(host.defaultRealm)).map(({ error }) => error);
    t.is(events.filter((error) => error === 'user_temporarily_disabled').length, 2);
    t.is(await grant(host, { totp: now() }), 'Invalid user credentials');
    clock.forward(61);
    t.is(await grant(host, { totp: now() }), 'tokens');
  },
);

test.serial(
  'one-time passwords: more wrong codes than maxSecondaryAuthFailures disable a user, however many passwords were right',
  async (t) => {
    const host = await withCredentials([otp()], {
      bruteForceProtected: true,
      failureFactor: 30,
      quickLoginCheckMilliSeconds: 0,
      maxSecondaryAuthFailures: 2,
    });
    const wrong = () => grant(host, { totp: '000000' });
    for (let times = 0; times < 2; times += 1) {
      for (let guess = 0; guess < 2; guess += 1) t.is(await wrong(), 'Invalid user credentials');
      clock.forward(31);
      t.is(await grant(host, { totp: now() }), 'tokens', 'a right code forgets them');
    }
    for (let guess = 0; guess < 3; guess += 1) t.is(await wrong(), 'Invalid user credentials');
    clock.forward(31);
    t.is(
      await grant(host, { totp: now() }),
      'Invalid user credentials',
      'a guesser does not learn that this one was right',
    );
    const events = await host.stored(host.defaultRealm);
    t.is(events.filter(({ error }) => error === 'user_disabled').length, 1);
    t.is(events.filter(({ type }) => type === 'USER_DISABLED_BY_PERMANENT_LOCKOUT').length, 1);
  },
);

test.serial(
  'one-time passwords: a user sets up an app because an application asks, and needs it from then on',
  async (t) => {
    const host = await withCredentials([], { otpPolicyDigits: 8, otpPolicyAlgorithm: 'HmacSHA512' });
    const browser = new Browser();
    await signIn(browser, codeRequest(host).url);
    const page = await browser.open(codeRequest(host, { kc_action: 'CONFIGURE_TOTP' }).url);
    const secret = /name="totpSecret" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    t.regex(secret, /^[A-Za-z0-9]{20}$/);
    const shown = /id="kc-figure-text">([^<]*)/.exec(page.text)?.[1] ?? '';
    t.is(fromBase32(shown).toString(), secret);
    const image = /<img src="data:image\/svg\+xml;base64,([^"]*)" alt="([^"]*)"/.exec(unescapeHtml(page.text));
    t.regex(Buffer.from(image?.[1] ?? '', 'base64').toString(), /^<svg xmlns=/);
    t.is(image?.[2], 'QR code for authenticator apps');
    const format = { digits: 8, algorithm: 'HmacSHA512' } as const;
    const wrong = await browser.submit(page, { totpSecret: secret, totp: '12345678', userLabel: '<b>phone' });
    t.regex(wrong.text, /Invalid authenticator code/);
    t.true(wrong.text.includes(secret) && wrong.text.includes('&lt;b&gt;phone'));
    const chosen = await browser.submit(wrong, { totpSecret: '"><script>', totp: '12345678' });
    t.false(chosen.text.includes('<script>'));
    t.false(chosen.text.includes(secret), 'what the host did not make is not taken back');
    const code = now(format, Buffer.from(secret));
    const done = await browser.submit(wrong, { totpSecret: secret, totp: code, userLabel: 'phone' });
    t.true(isIn(done), done.text);
    t.is(done.location?.searchParams.get('kc_action_status'), 'success');
    const alice = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
    const [stored] = alice?.credentials.filter(({ type }) => type === 'otp') ?? [];
    t.like(stored, { userLabel: 'phone', secretData: JSON.stringify({ value: secret }) });
    t.like(JSON.parse(stored?.credentialData ?? ''), {
      subType: 'totp',
      digits: 8,
      period: 30,
      algorithm: 'HmacSHA512',
    });
    t.is(await grant(host, { totp: code }), 'Invalid user credentials', 'the code of the set-up is used');
    t.is(await grant(host, {}), 'Invalid user credentials');
    clock.forward(60);
    t.is(await grant(host, { totp: now(format, Buffer.from(secret)) }), 'tokens');
    t.true((await host.stored(host.defaultRealm)).some(({ type }) => type === 'UPDATE_TOTP'));
  },
);

test.serial(
  'one-time passwords: a flow that requires a second factor makes users set one up, and lets nobody in before',
  async (t) => {
    const step = (authenticator: string, priority: number) => ({ authenticator, priority, requirement: 'REQUIRED' });
    const flows = {
      authenticationFlows: [
        {
          alias: 'browser',
          authenticationExecutions: [step('auth-username-password-form', 10), step('auth-otp-form', 20)],
        },
      ],
    };
    const host = await withCredentials([], flows);
    const browser = new Browser();
    const page = await signIn(browser, codeRequest(host).url);
    const secret = /name="totpSecret" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    t.true(isIn(await browser.submit(page, { totpSecret: secret, totp: now({}, Buffer.from(secret)) })));
    t.true(asks(await signIn(new Browser(), codeRequest(host).url)));
    const off = await withCredentials([], { ...flows, requiredActions: [] });
    const kept = await signIn(new Browser(), codeRequest(off).url);
    t.is(kept.status, 400);
    t.regex(kept.text, /not fully set up/);
  },
);

test.serial('one-time passwords: a user with a forgotten password still needs the second factor', async (t) => {
  const server = await startMailServer(t);
  const host = await withCredentials([otp()], { resetPasswordAllowed: true, smtpServer: server.settings });
  const browser = new Browser();
  const login = await browser.open(codeRequest(host).url);
  const address = /id="kc-forgot-password" href="([^"]+)"/.exec(login.text)?.[1] ?? '';
  const form = await browser.open(new URL(unescapeHtml(address), host.url).href);
  await browser.submit(form, { username: 'alice' });
  const page = await browser.open((await server.mail(0)).link);
  t.true(asks(page));
  const password = await browser.submit(page, { otp: now() });
  t.regex(password.text, /name="password-new"/);
  t.true(isIn(await browser.submit(password, { 'password-new': 'a-new-one-1', 'password-confirm': 'a-new-one-1' })));
});
