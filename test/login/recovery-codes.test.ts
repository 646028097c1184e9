import { createHash } from 'node:crypto';
import test from 'ava';
import type { CredentialRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { HandMade } from '../helpers/passkeys.js';
import { secondFactorFlows } from '../helpers/second-factors.js';
import { shareHost } from '../helpers/shared-host.js';

/** Codes as Keycloak exports them, without the first `used` ones. */
function codes(texts: readonly string[], used = 0): CredentialRepresentation {
  const all = texts.map((text, index) => ({
    number: index + 1,
    encodedHashedValue: createHash('sha512').update(text).digest('base64'),
  }));
  return {
    type: 'recovery-authn-codes',
    secretData: JSON.stringify({ codes: all.slice(used) }),
    credentialData: JSON.stringify({
      hashIterations: 1,
      algorithm: 'RS512',
      totalCodes: texts.length,
      remainingCodes: texts.length - used,
    }),
  };
}

const shared = shareHost(test, { realms: [] });

/** A realm whose alice has these credentials in addition to her password. */
function withCredentials(
  credentials: readonly CredentialRepresentation[],
  changes: Partial<RealmRepresentation> = {},
): Promise<TestHost> {
  return inRealm(shared(), (name) => {
    const base = codeRealm(name, { providers: {}, ...secondFactorFlows(), ...changes });
    const users = (base.users ?? []).map((user) =>
      user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), ...credentials] } : user,
    );
    return { ...base, users };
  });
}

const TWELVE = Array.from({ length: 12 }, (_, index) => `CODE${String(index + 1).padStart(2, '1')}ABCDEF`);
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;
const asksFor = ({ text }: Visit) => /Recovery code #(\d+)/.exec(text)?.[1];
const shownCodes = ({ text }: Visit) => [...text.matchAll(/<li>([^<]+)<\/li>/g)].map(([, code = '']) => code);
const alice = async (host: TestHost) =>
  host.users.byUsername(await host.loadedRealm(host.defaultRealm), 'alice') as Promise<
    NonNullable<Awaited<ReturnType<TestHost['users']['byUsername']>>>
  >;
const kept = async (host: TestHost) =>
  (await alice(host)).credentials.find(({ type }) => type === 'recovery-authn-codes');

test('recovery codes: a user of Keycloak’s logs in with one code after another, each once', async (t) => {
  const host = await withCredentials([codes(TWELVE, 2)]);
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  t.is(asksFor(page), '3');
  t.notRegex(page.text, /Create new ones soon/);
  for (const wrong of ['', 'x'.repeat(5000), TWELVE[0] ?? '', TWELVE[3] ?? '', 'CODE']) {
    page = await browser.submit(page, { recoveryCodeInput: wrong });
    t.is(asksFor(page), '3', wrong);
    t.regex(page.text, /Invalid recovery code/);
    t.false(browser.cookies.has('KEYCLOAK_IDENTITY'));
  }
  t.true(isIn(await browser.submit(page, { recoveryCodeInput: ' code-13ab cdef ' })), 'as people type it');
  t.like(JSON.parse((await kept(host))?.credentialData ?? ''), { totalCodes: 12, remainingCodes: 9 });
  const later = new Browser();
  page = await signIn(later, codeRequest(host).url);
  t.is(asksFor(page), '4');
  page = await later.submit(page, { recoveryCodeInput: TWELVE[2] ?? '' });
  t.is(asksFor(page), '4', 'the code that was used');
});

test('recovery codes: of ten uses of one code at the same time one succeeds', async (t) => {
  const host = await withCredentials([codes(TWELVE)]);
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const browser = new Browser();
      return { browser, page: await signIn(browser, codeRequest(host).url) };
    }),
  );
  const answers = await Promise.all(
    pages.map(({ browser, page }) => browser.submit(page, { recoveryCodeInput: TWELVE[0] ?? '' })),
  );
  t.is(answers.filter(isIn).length, 1);
  t.deepEqual(new Set(answers.filter((answer) => !isIn(answer)).map(asksFor)), new Set(['2']));
  t.is(JSON.parse((await kept(host))?.credentialData ?? '').remainingCodes, 11);
});

test('recovery codes: few codes are reported, and with the last one the user creates new ones first', async (t) => {
  const host = await withCredentials([codes(TWELVE, 10)]);
  let browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  t.regex(page.text, /alert-warning[\s\S]*Recovery codes left, including this one: 2\./);
  t.true(isIn(await browser.submit(page, { recoveryCodeInput: TWELVE[10] ?? '' })));
  browser = new Browser();
  page = await signIn(browser, codeRequest(host).url);
  page = await browser.submit(page, { recoveryCodeInput: TWELVE[11] ?? '' });
  t.is(shownCodes(page).length, 12);
  t.deepEqual((await alice(host)).requiredActions, ['CONFIGURE_RECOVERY_AUTHN_CODES']);
  t.is(await kept(host), undefined);
  t.true(isIn(await browser.submit(page, { kcRecoveryCodesConfirmationCheck: 'on' })));
  t.deepEqual((await alice(host)).requiredActions, []);
  const quiet = await withCredentials([codes(TWELVE, 10)], {
    requiredActions: [{ alias: 'CONFIGURE_RECOVERY_AUTHN_CODES', enabled: true, config: { warning_threshold: '2' } }],
  });
  t.notRegex((await signIn(new Browser(), codeRequest(quiet).url)).text, /Create new ones soon/);
});

test('recovery codes: codes are shown once, kept as hashes when the user has confirmed, and replace those from before', async (t) => {
  const host = await withCredentials([codes(TWELVE)]);
  const browser = new Browser();
  const signedIn = await browser.submit(await signIn(browser, codeRequest(host).url), {
    recoveryCodeInput: TWELVE[0] ?? '',
  });
  t.true(isIn(signedIn));
  const asked = codeRequest(host, { kc_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' }).url;
  const page = await browser.open(asked);
  const shown = shownCodes(page);
  t.is(new Set(shown).size, 12);
  for (const code of shown) t.regex(code, /^[A-NP-Z1-9]{4}(-[A-NP-Z1-9]{4}){2}$/);
  t.is(page.headers.get('cache-control'), 'no-store, must-revalidate, max-age=0');
  const unconfirmed = await browser.submit(page, { generatedRecoveryAuthnCodes: 'CHOSEN' });
  t.deepEqual(shownCodes(unconfirmed), shown);
  t.regex(unconfirmed.text, /Please confirm that you have saved the codes/);
  const done = await browser.submit(unconfirmed, { kcRecoveryCodesConfirmationCheck: 'on' });
  t.is(done.location?.searchParams.get('kc_action_status'), 'success');
  const stored = await kept(host);
  t.like(stored, { userLabel: 'Recovery codes' });
  t.is((await alice(host)).credentials.filter(({ type }) => type === 'recovery-authn-codes').length, 1);
  const plain = shown.map((code) => code.replaceAll('-', ''));
  t.deepEqual(
    { secretData: stored?.secretData, credentialData: stored?.credentialData },
    {
      secretData: codes(plain).secretData,
      credentialData: codes(plain).credentialData,
    },
  );
  t.false(JSON.stringify(await alice(host)).includes(plain[0] ?? '?'));
  const event = (await host.stored(host.defaultRealm)).find(
    ({ type, error }) => type === 'UPDATE_CREDENTIAL' && !error,
  );
  t.like(event?.details, { credential_type: 'recovery-authn-codes' });
  const later = new Browser();
  const first = await signIn(later, codeRequest(host).url);
  t.is(asksFor(first), '1');
  t.true(isIn(await later.submit(first, { recoveryCodeInput: shown[0] ?? '' })));
});

test('recovery codes: a page of codes that was submitted already creates none', async (t) => {
  const host = await withCredentials([]);
  const browser = new Browser();
  await signIn(browser, codeRequest(host).url);
  const page = await browser.open(codeRequest(host, { kc_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' }).url);
  const answers = await Promise.all([1, 2].map(() => browser.submit(page, { kcRecoveryCodesConfirmationCheck: 'on' })));
  t.is(answers.filter(isIn).length, 1);
  const [first = ''] = shownCodes(page);
  t.is(
    (await kept(host))?.secretData,
    codes(shownCodes(page).map((code) => code.replaceAll('-', ''))).secretData,
    first,
  );
});

test('recovery codes: guesses at codes are counted as wrong passwords are', async (t) => {
  const host = await withCredentials([codes(TWELVE)], { bruteForceProtected: true, failureFactor: 3 });
  const browser = new Browser();
  let page = await signIn(browser, codeRequest(host).url);
  for (let guess = 0; guess < 3; guess += 1) page = await browser.submit(page, { recoveryCodeInput: 'WRONG' });
  page = await browser.submit(page, { recoveryCodeInput: TWELVE[0] ?? '' });
  t.is(asksFor(page), '1');
  const stored = await host.stored(host.defaultRealm);
  t.true(stored.some(({ error }) => error === 'user_temporarily_disabled'));
  const wrong = stored.find(({ error }) => error === 'invalid_user_credentials');
  t.is(wrong?.details?.credential_type, 'recovery-authn-codes', 'the event tells a wrong code from a wrong password');
});

test('recovery codes: a code replaces a missing passkey, and damaged codes let nobody in', async (t) => {
  const host = await withCredentials([new HandMade().stored('webauthn'), codes(TWELVE)]);
  const browser = new Browser();
  const page = await signIn(browser, codeRequest(host).url);
  const [, execution = '', label] = /name="authenticationExecution" value="([^"]*)">([^<]*)/.exec(page.text) ?? [];
  t.is(label, 'Recovery code');
  const asked = await browser.submit(page, { authenticationExecution: execution });
  t.true(isIn(await browser.submit(asked, { recoveryCodeInput: TWELVE[0] ?? '' })));
  for (const damaged of [{ secretData: '{}' }, { credentialData: '{"algorithm":"constructor"}' }, { secretData: '' }]) {
    const broken = await withCredentials([{ ...codes(TWELVE), ...damaged }]);
    const other = new Browser();
    const refused = await signIn(other, codeRequest(broken).url);
    t.is(refused.status, 400);
    t.false(other.cookies.has('KEYCLOAK_IDENTITY'));
  }
});
