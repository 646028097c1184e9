import test from 'ava';
import type { CredentialRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, formAction, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, startHost, type TestHost } from '../helpers/host.js';
import { HandMade, optionsOf } from '../helpers/passkeys.js';
import { CAROL, DAVE, idIn } from '../helpers/realms.js';
import { passwordlessFlow, secondFactorFlows } from '../helpers/second-factors.js';
import { shareHost } from '../helpers/shared-host.js';

const OTP: CredentialRepresentation = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'rkQ2mYqH1bX0c9ZpLw7T' }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
};

const shared = shareHost(test, { realms: [] });

type Credentials = Readonly<Record<string, readonly CredentialRepresentation[]>>;

/** A realm whose users have these credentials in addition to their passwords. */
function realm(name: string, credentials: Credentials, changes: Partial<RealmRepresentation>): RealmRepresentation {
  const base = codeRealm(name, { providers: {}, ...changes });
  const users = (base.users ?? []).map((user) => ({
    ...user,
    credentials: [...(user.credentials ?? []), ...(credentials[user.username] ?? [])],
  }));
  return { ...base, users };
}

const withCredentials = (credentials: Credentials, changes: Partial<RealmRepresentation> = {}) =>
  inRealm(shared(), (name) => realm(name, credentials, changes));

const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const asks = ({ text }: Visit) => text.includes('data-webauthn="get"');
const failures = async (host: TestHost) => (await host.stored(host.defaultRealm)).flatMap(({ error }) => error ?? []);
const counterOf = async (host: TestHost, username = 'alice') => {
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), username);
  const passkey = user?.credentials.find(({ type }) => type.startsWith('webauthn'));
  return (JSON.parse(passkey?.credentialData ?? '{}') as { counter?: number }).counter;
};

test('passkeys: a user of Keycloak’s with a passkey logs in with it after the password, and with nothing less', async (t) => {
  const key = new HandMade();
  const other = new HandMade();
  const host = await withCredentials(
    { alice: [key.stored('webauthn')], dave: [other.stored('webauthn')] },
    secondFactorFlows(),
  );
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  t.true(asks(page));
  const options = optionsOf(page);
  t.is(options.rpId, '127.0.0.1');
  t.deepEqual(
    options.allowCredentials?.map(({ id }) => id),
    [key.id.toString('base64url')],
  );
  t.is(Buffer.from(options.challenge, 'base64url').length, 32);
  const again = { challenge: options.challenge };
  const wrong: [string, (page: Visit) => Record<string, string>][] = [
    ['nothing', () => ({})],
    ['no JSON', () => ({ credential: '{' })],
    ['null', () => ({ credential: 'null' })],
    ['no answer', () => ({ credential: JSON.stringify({ id: key.id.toString('base64url'), response: {} }) })],
    [
      'a length in place of bytes',
      () => ({
        credential: JSON.stringify({
          id: key.id.toString('base64url'),
          rawId: key.id.toString('base64url'),
          type: 'public-key',
          response: { clientDataJSON: { length: 2 ** 31 }, authenticatorData: 'AA', signature: 'AA' },
        }),
      }),
    ],
    ['another origin', (at) => ({ credential: key.assertion(at, { origin: 'http://evil.example.test' }) })],
    ['another host', (at) => ({ credential: key.assertion(at, { rpId: 'example.test' }) })],
    ['another challenge', (at) => ({ credential: key.assertion(at, { challenge: 'AAAA' }) })],
    ['the challenge of an earlier page', (at) => ({ credential: key.assertion(at, again) })],
    ['a frame of another origin', (at) => ({ credential: key.assertion(at, { crossOrigin: true }) })],
    ['a registration', (at) => ({ credential: key.assertion(at, { type: 'webauthn.create' }) })],
    ['nobody there', (at) => ({ credential: key.assertion(at, { flags: 0 }) })],
    ['another user’s passkey', (at) => ({ credential: other.assertion(at) })],
    ['another user’s name', (at) => ({ credential: key.assertion(at, { userHandle: idIn(host.defaultRealm, DAVE) }) })],
    ['an error of the browser', () => ({ error: 'NotAllowedError' })],
  ];
  for (const [what, fields] of wrong) {
    page = await browser.submit(page, fields(page));
    t.is(page.status, 200, what);
    t.true(asks(page), what);
    t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), what);
    t.notRegex(page.text, /evil\.example/, what);
  }
  const evil = 'evil.example.test';
  page = await browser.open(formAction(page), {
    method: 'POST',
    headers: { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https', origin: `https://${evil}` },
    body: new URLSearchParams({ credential: key.assertion(page, { origin: `https://${evil}`, rpId: evil }) }),
  });
  t.false(isIn(page), 'headers do not say where the host is');
  t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  t.true(
    isIn(await browser.submit(page, { credential: key.assertion(page, { userHandle: idIn(host.defaultRealm) }) })),
  );
});

test('passkeys: a challenge is good for one answer in its own login', async (t) => {
  const key = new HandMade();
  const host = await withCredentials({ alice: [key.stored('webauthn')] }, secondFactorFlows());
  const one = new Browser();
  const two = new Browser();
  const first = await signIn(one, codeRequest(host).url);
  const second = await signIn(two, codeRequest(host).url);
  const { challenge } = optionsOf(first);
  t.false(isIn(await two.submit(second, { credential: key.assertion(second, { challenge }) })), 'another login’s');
  const answer = { credential: key.assertion(first) };
  const both = await Promise.all([one.submit(first, answer), one.submit(first, answer)]);
  t.deepEqual(both.map(isIn).sort(), [false, true]);
  const again = await signIn(new Browser(), codeRequest(host).url);
  t.true(asks(again));
});

test('passkeys: a passkey whose counter does not increase is a copy, and lets nobody in', async (t) => {
  const key = new HandMade();
  const { credentialData, ...stored } = key.stored('webauthn', 7);
  const data = JSON.stringify({ ...JSON.parse(credentialData), attestationStatement: 'as an older Keycloak keeps it' });
  const host = await withCredentials({ alice: [{ ...stored, credentialData: data }] }, secondFactorFlows());
  const login = async (counter: number) => {
    const browser = new Browser();
    const page = await signIn(browser, codeRequest(host).url);
    return isIn(await browser.submit(page, { credential: key.assertion(page, { counter }) }));
  };
  for (const counter of [0, 6, 7]) t.false(await login(counter), String(counter));
  t.true(await login(8));
  t.false(await login(8));
  t.is(await counterOf(host), 8);
  const twins = await Promise.all(Array.from({ length: 4 }, () => login(12)));
  t.is(twins.filter(Boolean).length, 1);
  t.is(await counterOf(host), 12);
  const alice = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
  t.true(JSON.stringify(alice?.credentials).includes('as an older Keycloak keeps it'));
});

test('passkeys: wrong passkeys are counted as wrong passwords are; a call that was cancelled is not', async (t) => {
  const key = new HandMade();
  const host = await withCredentials(
    { alice: [key.stored('webauthn')] },
    { ...secondFactorFlows(), bruteForceProtected: true, failureFactor: 4, quickLoginCheckMilliSeconds: 0 },
  );
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  for (let times = 0; times < 10; times += 1) page = await browser.submit(page, { error: 'NotAllowedError' });
  t.regex(page.text, /cancelled or timed out/);
  for (let times = 0; times < 4; times += 1) {
    page = await browser.submit(page, { credential: key.assertion(page, { challenge: 'AAAA' }) });
  }
  page = await browser.submit(page, { credential: key.assertion(page) });
  t.true(asks(page));
  t.regex(page.text, /Invalid passkey/);
  const errors = await failures(host);
  t.deepEqual(
    ['not_allowed', 'invalid_user_credentials', 'user_temporarily_disabled'].map(
      (error) => errors.filter((one) => one === error).length,
    ),
    [10, 4, 1],
  );
});

test('passkeys: a user with several second factors chooses one, in the order of the flow at first', async (t) => {
  const key = new HandMade();
  const host = await withCredentials({ alice: [OTP, key.stored('webauthn')], dave: [OTP] }, secondFactorFlows());
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  t.regex(page.text, /name="otp"/);
  const ways = (at: Visit) => [...at.text.matchAll(/name="authenticationExecution" value="([^"]*)">([^<]*)/g)];
  t.deepEqual(
    ways(page).map(([, , label]) => label),
    ['Passkey'],
  );
  const choose = async (execution: string) => browser.submit(page, { authenticationExecution: execution });
  for (const nonsense of ['0', '1.0', '1', 'constructor', '']) {
    page = await choose(nonsense);
    t.regex(page.text, /name="otp"/, nonsense);
  }
  page = await choose(ways(page)[0]?.[1] ?? '');
  t.true(asks(page));
  t.deepEqual(
    ways(page).map(([, , label]) => label),
    ['Authenticator app'],
  );
  page = await browser.submit(page, { credential: 'nonsense' });
  t.true(asks(page), 'what was chosen stays');
  t.true(isIn(await browser.submit(page, { credential: key.assertion(page) })));
  const dave = await signIn(new Browser(), codeRequest(host).url, { username: 'dave', password: 'Dave-pass-1!' });
  t.deepEqual(ways(dave), []);
});

test('passkeys: a passkey alone signs in its user, and nobody without user verification', async (t) => {
  const key = new HandMade();
  const disabled = new HandMade();
  const host = await withCredentials(
    { alice: [key.stored('webauthn-passwordless')], carol: [disabled.stored('webauthn-passwordless')] },
    passwordlessFlow(),
  );
  const browser = new Browser();
  let page = await browser.open(codeRequest(host).url);
  t.like(optionsOf(page), { allowCredentials: [], userVerification: 'required' });
  const wrong: [string, (at: Visit) => string, string?][] = [
    ['nobody named', (at) => key.assertion(at)],
    ['nobody known', (at) => key.assertion(at, { userHandle: 'nobody' })],
    ['another user', (at) => key.assertion(at, { userHandle: idIn(host.defaultRealm, DAVE) })],
    ['not verified', (at) => key.assertion(at, { userHandle: idIn(host.defaultRealm), flags: 1 })],
    [
      'a disabled user',
      (at) => disabled.assertion(at, { userHandle: idIn(host.defaultRealm, CAROL) }),
      'Your account is disabled',
    ],
  ];
  for (const [what, credential, message = 'Invalid passkey'] of wrong) {
    page = await browser.submit(page, { credential: credential(page) });
    t.true(asks(page), what);
    t.true(page.text.includes(message), what);
  }
  t.deepEqual((await failures(host)).sort(), [
    'invalid_user_credentials',
    'invalid_user_credentials',
    'user_disabled',
    'user_not_found',
    'user_not_found',
  ]);
  t.true(
    isIn(await browser.submit(page, { credential: key.assertion(page, { userHandle: idIn(host.defaultRealm) }) })),
  );
  const hinted = await browser.open(codeRequest(host, { prompt: 'login' }).url);
  t.deepEqual(
    optionsOf(hinted).allowCredentials?.map(({ id }) => id),
    [key.id.toString('base64url')],
    'who must log in again is asked for their own',
  );
});

test('passkeys: the username form accepts a passkey if the realm says so, and needs no second factor then', async (t) => {
  const key = new HandMade();
  const credentials = { alice: [OTP, key.stored('webauthn-passwordless')] };
  const enabled = { webAuthnPolicyPasswordlessPasskeysEnabled: true, eventsEnabled: true };
  const realms = [realm('demo', credentials, enabled)];
  const host = await startHost(t, { realms, argv: ['--http-host', 'localhost'] });
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  t.regex(page.text, /autocomplete="username webauthn"/);
  t.true(
    isIn(await browser.submit(page, { credential: key.assertion(page, { userHandle: idIn(host.defaultRealm) }) })),
  );
  const typed = await signIn(new Browser(), codeRequest(host).url);
  t.regex(typed.text, /name="otp"/, 'a password is not enough');
  const stranger = new Browser();
  const asked = await stranger.open(codeRequest(host).url);
  const unknown = new HandMade().assertion(asked, { userHandle: idIn(host.defaultRealm) });
  t.false(isIn(await stranger.submit(asked, { credential: unknown })));
  const refusal = (await host.stored(host.defaultRealm)).find(({ type }) => type === 'LOGIN_ERROR');
  t.is(refusal?.details?.credential_type, 'webauthn-passwordless', 'no event reports a wrong password');
  for (const off of [await withCredentials(credentials), await withCredentials(credentials, enabled)]) {
    const plain = await new Browser().open(codeRequest(off).url);
    t.false(plain.text.includes('data-webauthn'), 'also where the host has an address and no name');
    const refused = await new Browser().open(formAction(plain), {
      method: 'POST',
      body: new URLSearchParams({ credential: '{}' }),
    });
    t.false(isIn(refused));
  }
});

test('passkeys: a passkey is added because an application asks, and nothing that the realm does not want', async (t) => {
  const host = await withCredentials(
    {},
    { ...secondFactorFlows(), webAuthnPolicyAvoidSameAuthenticatorRegister: true },
  );
  const browser = new Browser();
  await signIn(browser, codeRequest(host).url);
  const asked = codeRequest(host, { kc_action: 'webauthn-register' }).url;
  let page = await browser.open(asked);
  const options = optionsOf(page);
  t.like(options, {
    rp: { id: '127.0.0.1', name: 'keycloak' },
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -257 },
    ],
    user: {
      id: Buffer.from(idIn(host.defaultRealm)).toString('base64url'),
      name: 'alice',
      displayName: 'Alice Example',
    },
    excludeCredentials: [],
  });
  const key = new HandMade();
  const wrong: [string, (at: Visit) => Record<string, string>][] = [
    ['nothing', () => ({})],
    ['no JSON', () => ({ credential: '[' })],
    ['another origin', (at) => ({ credential: key.attestation(at, { origin: 'http://evil.example.test' }) })],
    ['another host', (at) => ({ credential: key.attestation(at, { rpId: 'example.test' }) })],
    ['another challenge', (at) => ({ credential: key.attestation(at, { challenge: options.challenge }) })],
    ['a frame of another origin', (at) => ({ credential: key.attestation(at, { crossOrigin: true }) })],
    ['an assertion', (at) => ({ credential: key.attestation(at, { type: 'webauthn.get' }) })],
    ['nobody there', (at) => ({ credential: key.attestation(at, { flags: 0 }) })],
    ['an error of the browser', () => ({ error: 'InvalidStateError', authenticatorLabel: '<b>mine' })],
  ];
  page = await browser.submit(page, {});
  for (const [what, fields] of wrong) {
    page = await browser.submit(page, fields(page));
    t.true(page.text.includes('data-webauthn="create"'), what);
    t.regex(page.text, /alert-error/, what);
  }
  t.regex(page.text, /already registered for your account/);
  t.true(page.text.includes('&lt;b&gt;mine'));
  const done = await browser.submit(page, { credential: key.attestation(page), authenticatorLabel: ' my key ' });
  t.true(isIn(done), done.text);
  t.is(done.location?.searchParams.get('kc_action_status'), 'success');
  const alice = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice');
  const stored = alice?.credentials.find(({ type }) => type === 'webauthn');
  t.like(stored, { userLabel: 'my key', secretData: '{}' });
  t.deepEqual(JSON.parse(stored?.credentialData ?? ''), JSON.parse(key.stored('webauthn').credentialData));
  const event = (await host.stored(host.defaultRealm)).find(
    ({ type, error }) => type === 'UPDATE_CREDENTIAL' && !error,
  );
  t.like(event?.details, { credential_type: 'webauthn', public_key_credential_id: key.id.toString('base64url') });

  page = await browser.open(asked);
  t.is(optionsOf(page).excludeCredentials?.length, 1);
  page = await browser.submit(page, { credential: key.attestation(page) });
  t.regex(page.text, /Passkey registration failed/, 'the same passkey once more');
  const again = await browser.submit(page, { 'cancel-aia': 'true' });
  t.is(again.location?.searchParams.get('kc_action_status'), 'cancelled');
  t.true(asks(await signIn(new Browser(), codeRequest(host).url)), 'it is asked for from now on');
});

/** The two policies of a realm, each with the action that it is for. */
const POLICIES = { webAuthnPolicy: 'webauthn-register', webAuthnPolicyPasswordless: 'webauthn-register-passwordless' };

const policyTest = test.macro(async (t, prefix: keyof typeof POLICIES) => {
  const policy = (settings: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [`${prefix}${key}`, value]));
  const cases: [Record<string, unknown>, object, boolean][] = [
    [
      {
        RpEntityName: 'The Gazette',
        RpId: 'example.test',
        SignatureAlgorithms: ['Ed25519', 'ES256'],
        RequireResidentKey: 'Yes',
        UserVerificationRequirement: 'preferred',
        CreateTimeout: 20,
        AuthenticatorAttachment: 'not specified',
        ExtraOrigins: ['https://login.example.test'],
      },
      {
        rp: { id: 'example.test', name: 'The Gazette' },
        pubKeyCredParams: [
          { type: 'public-key', alg: -8 },
          { type: 'public-key', alg: -7 },
        ],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
        timeout: 20_000,
      },
      true,
    ],
    [{ SignatureAlgorithms: ['RS256'] }, { pubKeyCredParams: [{ type: 'public-key', alg: -257 }] }, false],
    [{ AttestationConveyancePreference: 'direct' }, { attestation: 'direct' }, false],
    [{ AttestationConveyancePreference: 'none' }, { attestation: 'none' }, true],
    [{ AcceptableAaguids: ['00000000-0000-0000-0000-000000000000'] }, { rp: { id: '127.0.0.1' } }, false],
    [
      { AuthenticatorAttachment: 'platform', RequireResidentKey: 'No', ResidentKey: 'not specified' },
      {
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          residentKey: 'discouraged',
          requireResidentKey: false,
        },
      },
      false,
    ],
  ];
  // As in Keycloak 26.7.3: the current setting applies, or the deprecated one if it is not specified.
  for (const [required, resident, residentKey] of [
    ['not specified', 'required', 'required'],
    ['Yes', 'discouraged', 'discouraged'],
    ['No', 'preferred', 'preferred'],
    ['Yes', 'not specified', 'required'],
    ['No', 'not specified', 'discouraged'],
  ] as const) {
    const authenticatorSelection = { residentKey, requireResidentKey: residentKey === 'required' };
    cases.push([{ RequireResidentKey: required, ResidentKey: resident }, { authenticatorSelection }, true]);
  }
  for (const [settings, expected, taken] of cases) {
    const host = await withCredentials({}, policy(settings));
    const browser = new Browser();
    await signIn(browser, codeRequest(host).url);
    const page = await browser.open(codeRequest(host, { kc_action: POLICIES[prefix] }).url);
    t.like(optionsOf(page), expected);
    const origin = settings.ExtraOrigins === undefined ? {} : { origin: 'https://login.example.test' };
    const done = await browser.submit(page, { credential: new HandMade().attestation(page, origin) });
    t.is(isIn(done), taken, JSON.stringify(settings));
  }
});

test('passkeys: the realm’s policy decides what is requested and accepted', policyTest, 'webAuthnPolicy');
test('passkeys: so does its policy of passkeys without a password', policyTest, 'webAuthnPolicyPasswordless');
