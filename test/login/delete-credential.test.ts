import test from 'ava';
import type { CredentialRepresentation } from '../../core/model/representation.js';
import { withCredentialIds } from '../../core/users/credentials/credential-ids.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { HandMade } from '../helpers/passkeys.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, { realms: [] });

const LABELLED = '6cff18e1-21ae-4ac8-989e-0c62ddcdab21';
const PLAIN = 'e735b4a3-0e29-401d-b5ad-0ddfc292db5f';
/** Placeholder for the ID that the host gives the password. */
const PASSWORD = 'password';
const DAVES = 'e7d6b3c6-c390-4d99-b13d-683863b55608';
const otp = (id: string, userLabel?: string): CredentialRepresentation => ({
  id,
  type: 'otp',
  secretData: JSON.stringify({ value: id }),
  ...(userLabel !== undefined && { userLabel }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }),
});

const started = (own: CredentialRepresentation[] = [otp(LABELLED, 'one <b>'), otp(PLAIN)]) =>
  inRealm(shared(), (name) => {
    const realm = codeRealm(name, {
      providers: {},
      browserFlow: 'own',
      authenticationFlows: [
        {
          alias: 'own',
          providerId: 'basic-flow',
          authenticationExecutions: [
            { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 1 },
            { authenticatorFlow: true, flowAlias: 'forms', requirement: 'ALTERNATIVE', priority: 2 },
          ],
        },
        {
          alias: 'forms',
          providerId: 'basic-flow',
          authenticationExecutions: [{ authenticator: 'auth-username-password-form', requirement: 'REQUIRED' }],
        },
      ],
    });
    const password = { type: 'password', value: 'Alice-pass-1!' };
    const users = (realm.users ?? []).map((user) => {
      if (user.username === 'alice') return { ...user, credentials: [password, ...own] };
      return user.username === 'dave' ? { ...user, credentials: [...(user.credentials ?? []), otp(DAVES)] } : user;
    });
    return { ...realm, users };
  });

const asks = (host: TestHost, id: string) => codeRequest(host, { kc_action: `delete_credential${id}` }).url;
const statusOf = ({ location }: Visit) => location?.searchParams.get('kc_action_status');
const credentialsOf = async (host: TestHost, name = 'alice') => {
  const user = await host.users.byUsername(await host.loadedRealm(host.defaultRealm), name);
  return user === undefined ? [] : withCredentialIds(user.id, user.credentials);
};
const kept = async (host: TestHost, name?: string) =>
  (await credentialsOf(host, name)).map(({ id, type }) => (type === 'password' ? PASSWORD : id));

/** As a Keycloak 26.7.3 answers, which also removes a password and answers 500 to an empty id. */
const REFUSED: readonly [what: string, id: string, error: string][] = [
  ['none', '', 'missing_credential_id'],
  ['empty', ':', 'missing_credential_id'],
  ['nobody’s', ':nope', 'credential_not_found'],
  ['another user’s', `:${DAVES}`, 'credential_not_found'],
  ['the password', `:${PASSWORD}`, 'delete_credential_failed'],
];

test('delete_credential: a credential that cannot be removed is an error to the application, with an event', async (t) => {
  const host = await started();
  for (const [what, id, error] of REFUSED) {
    const [password] = await credentialsOf(host);
    const page = await signIn(new Browser(), asks(host, id.replace(PASSWORD, password?.id ?? '')));
    t.deepEqual([statusOf(page), page.location?.searchParams.has('code')], ['error', true], what);
    const events = (await host.stored(host.defaultRealm)).filter((event) => event.error !== undefined);
    t.true(
      events.some((event) => event.type === 'CUSTOM_REQUIRED_ACTION_ERROR' && event.error === error),
      what,
    );
  }
  t.deepEqual([await kept(host), (await kept(host, 'dave')).length], [[PASSWORD, LABELLED, PLAIN], 2]);
});

test('delete_credential: a user confirms or cancels the removal', async (t) => {
  const host = await started();
  const browser = new Browser();
  const page = await signIn(browser, asks(host, `:${LABELLED}`));
  t.regex(page.text, /<h1[^>]*>Delete one &lt;b&gt;</);
  t.is(statusOf(await browser.submit(page, { 'cancel-aia': 'true' })), 'cancelled');
  t.is((await kept(host)).length, 3);
  const again = await browser.open(asks(host, `:${LABELLED}`));
  const done = await browser.submit(again, {});
  t.like(Object.fromEntries(done.location?.searchParams ?? []), {
    kc_action: 'delete_credential',
    kc_action_status: 'success',
  });
  t.deepEqual(await kept(host), [PASSWORD, PLAIN]);
  const events = await host.stored(host.defaultRealm);
  for (const type of ['REMOVE_CREDENTIAL', 'REMOVE_TOTP']) {
    t.like(events.find((event) => event.type === type)?.details, {
      credential_type: 'otp',
      credential_id: LABELLED,
      credential_user_label: 'one <b>',
    });
  }
  const unnamed = await browser.open(asks(host, `:${PLAIN}`));
  t.regex(unnamed.text, /<h1[^>]*>Delete otp</);
  t.is(statusOf(await browser.submit(unnamed, {})), 'success');
});

test('delete_credential: the last credential stays, also if another was removed while the page was open', async (t) => {
  const first = new HandMade();
  const second = new HandMade();
  const host = await started([
    { ...first.stored('webauthn-passwordless'), id: LABELLED },
    { ...second.stored('webauthn-passwordless'), id: PLAIN },
  ]);
  const browser = new Browser();
  const page = await signIn(browser, asks(host, `:${LABELLED}`));
  const realm = await host.loadedRealm(host.defaultRealm);
  const alice = await host.users.byUsername(realm, 'alice');
  await host.users.change(realm, alice?.id ?? '', (draft) => {
    draft.credentials = (draft.credentials ?? []).filter(({ id }) => id === LABELLED);
  });
  t.is(statusOf(await browser.submit(page, {})), 'error');
  t.deepEqual(await kept(host), [LABELLED]);
});
