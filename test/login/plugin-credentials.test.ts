import test from 'ava';
import { adminCaller } from '../helpers/admin.js';
import {
  codeOf,
  events,
  login,
  on,
  PASSWORD,
  SAFE,
  safe,
  startSafes,
  storedOf,
  titleOf,
} from '../helpers/credential-plugin.js';
import { Browser, signIn } from '../helpers/form-browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { ALICE } from '../helpers/realms.js';

for (const isolation of ['none', 'worker']) {
  test(`credentials of plugins: a type of a plugin is set up, asked for, listed, named, moved and removed as the host's own (isolation ${isolation})`, async (t) => {
    const host = await startSafes(t, isolation, [], { hangs: true });
    const call = await adminCaller(host);
    const at = `/realms/demo/users/${ALICE}/credentials`;
    const listed = async () => (await call('GET', at)).json as unknown as Record<string, string>[];
    const browser = new Browser();

    const setUp = await signIn(browser, login(host, { kc_action: 'safe-setup' }));
    t.is(titleOf(setUp), 'New safe');
    const done = await browser.submit(setUp, { code: 'named one two' });
    t.truthy(codeOf(done));
    t.is(done.location?.searchParams.get('kc_action_status'), 'success');
    const told = (await events(host)).filter((event) => /CREDENTIAL|ACTION/.test(event));
    t.deepEqual(told.sort(), ['CUSTOM_REQUIRED_ACTION', 'UPDATE_CREDENTIAL safe-code']);
    const [stored] = await storedOf(host);
    t.is(stored?.secretData, '{"codes":["named","one","two"]}');

    // From now on the code is required, each one once.
    const asked = await signIn(new Browser(), login(host));
    t.is(titleOf(asked), 'Open the safe');
    const elsewhere = new Browser();
    const wrong = await elsewhere.submit(await signIn(elsewhere, login(host)), { code: 'three' });
    t.regex(wrong.text, /That is not it\./);
    t.true((await events(host)).includes('LOGIN_ERROR invalid_user_credentials'));
    const right = await elsewhere.submit(wrong, { code: 'one' });
    t.truthy(codeOf(right), right.text);
    const again = new Browser();
    t.regex((await again.submit(await signIn(again, login(host)), { code: 'one' })).text, /That is not it\./);

    // As admins and the user see it: without the secret, and with the provider's data.
    const [password, shown] = await listed();
    t.like(shown, { type: 'safe-code', userLabel: 'Mine', credentialData: '{"remaining":2}' });
    t.notRegex(JSON.stringify(await listed()), /secretData|named/);
    t.is((await call('POST', `${at}/${shown?.id}/moveToFirst`)).status, 204);
    t.deepEqual(
      (await listed()).map(({ type }) => type),
      ['safe-code', 'password'],
    );
    t.is((await call('POST', `${at}/${shown?.id}/moveAfter/${password?.id}`)).status, 204);
    let { access_token: token } = await logIn(host, { username: 'alice', password: PASSWORD });
    const own = (method: string, path = '', body?: unknown) =>
      fetchAnswer(`${host.realm('demo')}/account/credentials${path}`, {
        method,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'accept-language': 'de',
          ...bearer(token),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const containers = (await own('GET')).json as unknown as Record<string, unknown>[];
    t.like(containers[1], {
      type: 'safe-code',
      category: 'two-factor',
      displayName: 'Tresor',
      helptext: 'Codes of a safe.',
      iconCssClass: 'safe',
      createAction: 'safe-setup',
      removeable: true,
    });
    t.is((await own('PUT', `/${shown?.id}/label`, 'throws')).status, 204);
    // If a provider fails, only the name is shown.
    t.like((await listed())[1], { userLabel: 'throws', credentialData: undefined });
    t.is((await own('PUT', `/${shown?.id}/label`, 'hangs')).status, 204);
    t.like((await listed())[1], { userLabel: 'hangs', credentialData: undefined });

    // A credential imported by an admin, and one that is removed.
    const sent = safe(['three'], { id: undefined });
    t.is((await call('PUT', `/realms/demo/users/${ALICE}`, { credentials: [sent] })).status, 204);
    t.is((await storedOf(host)).length, 2);
    t.like((await listed())[2], { userLabel: 'Some <b>safe' });
    // An admin's change of credentials ends the user's sessions.
    ({ access_token: token } = await logIn(host, { username: 'alice', password: PASSWORD }));
    t.is((await own('DELETE', `/${shown?.id}`)).status, 204);
    t.true((await events(host)).includes('REMOVE_CREDENTIAL safe-code'));
    const [{ id = '' } = {}] = await storedOf(host);
    const removal = await signInWith(host, 'three', { kc_action: `delete_credential:${id}` });
    const { location } = await removal.browser.submit(removal.page, {});
    t.is(location?.searchParams.get('kc_action_status'), 'success');
    t.deepEqual(await storedOf(host), []);
    t.is((await call('DELETE', `${at}/${id}`)).status, 404);
    t.truthy(codeOf(await signIn(new Browser(), login(host))), 'nothing is asked for beside the password');
  });
}

test('credentials of plugins: if a type is disabled, its credentials are hidden, and none is lost', async (t) => {
  const host = await startSafes(t, 'none', [safe(['one']), { type: 'unknown', secretData: '{}' }]);
  const call = await adminCaller(host);
  const at = `/realms/demo/users/${ALICE}/credentials`;
  const types = async () => ((await call('GET', at)).json as unknown as { type: string }[]).map(({ type }) => type);
  const disableable = async () =>
    ((await call('GET', `/realms/demo/users/${ALICE}`)).json as { disableableCredentialTypes?: unknown })
      .disableableCredentialTypes;
  t.deepEqual(await types(), ['password', 'safe-code'], 'of types that nobody has none is shown');
  t.deepEqual(await disableable(), ['password', 'safe-code']);
  t.is((await call('PUT', '/realms/demo/providers/credential/safe-code', { enabled: false })).status, 204);
  t.deepEqual(await disableable(), ['password']);
  t.deepEqual(await types(), ['password']);
  for (const [method, path, body] of [
    ['DELETE', `${at}/${SAFE}`],
    ['PUT', `${at}/${SAFE}/userLabel`, 'x'],
    ['POST', `${at}/${SAFE}/moveToFirst`],
  ] as const) {
    t.is((await call(method, path, body)).status, 404, method);
  }
  // A flow with its step still requires a login.
  t.is(codeOf(await signIn(new Browser(), login(host))), undefined);
  t.like(host.log.findLast(({ message }) => message === 'request failed')?.fields, {
    error: 'credential_type_not_own',
  });
  t.is((await call('PUT', '/realms/demo/providers/credential/safe-code', on)).status, 204);
  t.deepEqual(await types(), ['password', 'safe-code']);
  t.is((await storedOf(host))[0]?.secretData, '{"codes":["one"]}');
});

test('credentials of plugins: the host lists types as Keycloak does, and refuses to disable one that is in use', async (t) => {
  const host = await startSafes(t, 'none', []);
  const call = await adminCaller(host);
  const info = (await call('GET', '/serverinfo')).json as unknown as {
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  t.deepEqual(Object.keys(info.providers.credential?.providers ?? {}).sort(), [
    'keycloak-otp',
    'keycloak-password',
    'keycloak-recovery-authn-codes',
    'keycloak-webauthn',
    'keycloak-webauthn-passwordless',
    'safe-code',
  ]);
  const { json } = await call('GET', '/serverinfo', undefined, { 'accept-language': 'de' });
  const { providers } = json as unknown as typeof info;
  t.deepEqual(providers.credential?.providers['safe-code']?.operationalInfo, {
    plugin: 'safes',
    version: '1.2.3',
    displayName: 'Tresor',
  });
  const refused = await call('PUT', '/realms/demo/providers/credential/keycloak-otp', { enabled: false });
  t.is(refused.status, 400);
  t.regex(refused.text, /keycloak-otp.*must be true/);
  const flows = (await call('GET', '/realms/demo/authentication/flows/third/executions')).json as unknown as {
    authenticationConfig?: string;
  }[];
  const mistyped = { alias: 'used', config: { credentials: 'safe-cod', included: 'true' } };
  const config = `/realms/demo/authentication/config/${flows[0]?.authenticationConfig}`;
  const { status, text } = await call('PUT', config, mistyped);
  t.is(status, 400);
  t.regex(text, /safe-cod.*safe-code/);
  const credentials = [{ type: 'safe-code', secretData: 'one', credentialData: '{}' }];
  const damaged = { realm: 'damaged', users: [{ username: 'ada', credentials }] };
  const imported = await call('POST', '/realms', damaged);
  t.is(imported.status, 400);
  t.regex(imported.text, /users\.credentials: secretData and credentialData must be objects, as JSON texts/);
  const description = await call('GET', '/realms/demo/authentication/config-description/conditional-credential');
  const [setting] = (description.json as unknown as { properties: { options: string[] }[] }).properties;
  t.true(['none', 'otp', 'safe-code'].every((type) => setting?.options.includes(type)));
});

test('credentials of plugins: the condition on credentials knows the type of a plugin', async (t) => {
  for (const [credentials, isDenied] of [
    ['safe-code', true],
    ['otp', false],
  ] as const) {
    const authenticatorConfig = [{ alias: 'used', config: { credentials, included: 'true' } }];
    const host = await startSafes(t, 'none', [safe(['one'])], { changes: { authenticatorConfig } });
    const { page } = await signInWith(host, 'one');
    t.is(codeOf(page) === undefined, isDenied, credentials);
  }
});

async function signInWith(host: TestHost, code: string, changes: Record<string, string> = {}) {
  const browser = new Browser();
  const page = await browser.submit(await signIn(browser, login(host, changes)), { code });
  return { browser, page };
}
