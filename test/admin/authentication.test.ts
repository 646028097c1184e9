import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import type { TestHost } from '../helpers/host.js';
import { pluginSource, providersFolder } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const demo = { realm: 'demo' };
/** An admin of the realm itself, because the client library signs in there. */
const DAVE = { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' };

/** An authenticator that asks for the word in its configuration. */
const WORD = pluginSource(import.meta.url, 'plugins/word.js');

async function logsIn(host: TestHost): Promise<boolean> {
  const page = await signIn(new Browser(), codeRequest(host).url);
  return page.location?.searchParams.get('code') != null;
}

test('Admin API, flows: flows are shown as they run, including built-in ones that the realm does not declare', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const { authenticationManagement: authentication } = await adminClient(host, DAVE);
  const flows = await authentication.getFlows(demo);
  t.deepEqual(
    flows.map(({ alias }) => alias),
    ['browser', 'direct grant', 'registration', 'reset credentials', 'clients', 'first broker login', 'docker auth'],
  );
  const browser = flows[0];
  t.like(browser, { providerId: 'basic-flow', topLevel: true, builtIn: true });
  t.like(browser?.authenticationExecutions?.[3], { flowAlias: 'forms', authenticatorFlow: true, priority: 30 });
  t.deepEqual(await authentication.getFlow({ ...demo, flowId: browser?.id ?? '' }), browser);
  const executions = await authentication.getExecutions({ ...demo, flow: 'browser' });
  t.deepEqual(
    executions.map(({ level, index, displayName, requirement }) => [level, index, displayName, requirement]),
    [
      [0, 0, 'Cookie', 'ALTERNATIVE'],
      [0, 1, 'Kerberos', 'DISABLED'],
      [0, 2, 'Identity Provider Redirector', 'ALTERNATIVE'],
      [0, 3, 'forms', 'ALTERNATIVE'],
      [1, 0, 'Username Password Form', 'REQUIRED'],
      [1, 1, 'Browser - Conditional 2FA', 'CONDITIONAL'],
      [2, 0, 'Condition - user configured', 'REQUIRED'],
      [2, 1, 'Condition - credential', 'REQUIRED'],
      [2, 2, 'OTP Form', 'ALTERNATIVE'],
      [2, 3, 'WebAuthn Authenticator', 'DISABLED'],
      [2, 4, 'Recovery Authentication Code Form', 'DISABLED'],
    ],
  );
  const stepsOf = async (flow: string) =>
    (await authentication.getExecutions({ ...demo, flow })).map(
      ({ level, displayName, requirement, authenticationConfig }) =>
        `${level} ${displayName} ${requirement}${authenticationConfig === undefined ? '' : ' configured'}`,
    );
  t.deepEqual(await stepsOf('reset credentials'), [
    '0 Choose User REQUIRED',
    '0 Send Reset Email REQUIRED',
    '0 Reset Password REQUIRED',
    '0 Reset - Conditional OTP CONDITIONAL',
    '1 Condition - user configured REQUIRED',
    '1 Reset OTP REQUIRED',
  ]);
  t.deepEqual(await stepsOf('clients'), [
    '0 Client Id and Secret ALTERNATIVE',
    '0 Signed JWT ALTERNATIVE',
    '0 Signed JWT with Client Secret ALTERNATIVE',
    '0 X509 Certificate ALTERNATIVE',
    '0 Signed JWT - Federated ALTERNATIVE',
  ]);
  t.true((await stepsOf('registration')).includes('1 reCAPTCHA DISABLED'));
  t.true((await stepsOf('first broker login')).includes('0 Review Profile REQUIRED configured'));
  t.like(executions[0], { providerId: 'auth-cookie', configurable: false });
  t.deepEqual(executions[0]?.requirementChoices, ['REQUIRED', 'ALTERNATIVE', 'DISABLED']);
  t.like(executions[3], { authenticationFlow: true, description: 'Username, password, otp and other auth forms.' });
  t.like(await authentication.getFlow({ ...demo, flowId: executions[3]?.flowId ?? '' }), { alias: 'forms' });
  const steps = (await authentication.getAuthenticatorProviders()).map(({ id }) => id);
  for (const id of ['auth-cookie', 'auth-username-password-form', 'conditional-user-configured']) {
    t.true(steps.includes(id), id);
  }
  const clients = await authentication.getClientAuthenticatorProviders();
  t.like(
    clients.find(({ id }) => id === 'client-secret'),
    { displayName: 'Client Id and Secret', supportsSecret: true },
  );
  const ids = (steps: readonly object[]) => steps.map((step) => (step as { id: string }).id);
  t.deepEqual(ids(await authentication.getFormProviders()), ['registration-page-form']);
  t.deepEqual(ids(await authentication.getFormActionProviders()), [
    'registration-user-creation',
    'registration-password-action',
    'registration-terms-and-conditions',
    'registration-recaptcha-action',
    'registration-recaptcha-enterprise',
  ]);
  const condition = executions.find(({ providerId }) => providerId === 'conditional-credential');
  t.like(condition, { configurable: true, alias: 'browser-conditional-credential' });
  const { authenticationConfig: configId = '' } = condition ?? {};
  t.like(await authentication.getConfig({ ...demo, id: configId }), {
    config: { credentials: 'webauthn-passwordless' },
  });
  const call = await adminCaller(host);
  const described = async (path: string) => {
    const { json } = await call('GET', `/realms/demo/authentication/${path}/config-description`);
    return (json.properties as unknown as { name: string }[]).map(({ name }) => name);
  };
  t.deepEqual(await described('required-actions/CONFIGURE_RECOVERY_AUTHN_CODES'), ['warning_threshold']);
  t.deepEqual(await described('required-actions/CONFIGURE_TOTP'), []);
  // The export contains the IDs by which the API addresses flows and their settings.
  const exported = (await call('POST', '/realms/demo/partial-export')).json as unknown as RealmRepresentation;
  const idsOf = (all: readonly { alias?: string; id?: string }[] = []) =>
    all.map(({ alias, id }) => [alias, id]).sort();
  const topLevel = exported.authenticationFlows?.filter((flow) => flow.topLevel === true);
  t.deepEqual(idsOf(topLevel?.filter(({ alias }) => alias !== 'saml ecp')), idsOf(flows));
  const settings = exported.authenticatorConfig?.find(({ alias }) => alias === 'browser-conditional-credential');
  t.is(settings?.id, configId);
  const perClient = (await call('GET', '/realms/demo/authentication/per-client-config-description')).json;
  const names = (fields: unknown) => (fields as { name: string }[]).map(({ name }) => name);
  t.deepEqual(Object.fromEntries(Object.entries(perClient).map(([id, fields]) => [id, names(fields)])), {
    'client-secret': [],
    'client-jwt': [],
    'client-secret-jwt': [],
    'client-x509': [],
    'federated-jwt': ['jwt.credential.issuer', 'jwt.credential.sub'],
  });
});

test('Admin API, flows: a flow is copied, given a configured step of a plugin, bound, used by the next login, and unbound', async (t) => {
  const providersDir = await providersFolder(t, { word: WORD });
  const host = await startAdministered(t, {
    realms: [codeRealm('demo', { providers: {} })],
    plugins: [{ module: 'word' }],
    argv: ['--providers-dir', providersDir],
  });
  const admin = await adminClient(host, DAVE);
  const { authenticationManagement: authentication } = admin;
  await authentication.copyFlow({ ...demo, flow: 'browser', newName: 'with word' });
  t.deepEqual(
    (await host.realms.get('demo'))?.representation.authenticationFlows?.map(({ alias }) => alias),
    ['with word', 'with word forms', 'with word Browser - Conditional 2FA'],
  );
  const { id = '' } = await authentication.addExecutionToFlow({ ...demo, flow: 'with word forms', provider: 'word' });
  const added = (await authentication.getExecutions({ ...demo, flow: 'with word' })).find((one) => one.id === id);
  t.like(added, { requirement: 'DISABLED', configurable: true, level: 1, index: 2, providerId: 'word' });
  await authentication.updateExecution({ ...demo, flow: 'with word' }, { ...added, requirement: 'REQUIRED' });
  const config = await authentication.createConfig({
    ...demo,
    id,
    alias: 'the word',
    config: { word: 'a', secret: 's' },
  });
  await admin.realms.update(demo, { browserFlow: 'with word' });

  const browser = new Browser();
  const asked = await signIn(browser, codeRequest(host).url);
  t.regex(asked.text, /name="word"/);
  const { id: configId = '' } = config as { id?: string };
  const shown = await authentication.getConfig({ ...demo, id: configId });
  t.deepEqual(shown, { id: configId, alias: 'the word', config: { word: 'a', secret: '**********' } });
  await authentication.updateConfig({
    ...demo,
    ...shown,
    alias: 'other',
    config: { ...shown.config, word: 'b' },
  });
  const configs = (await host.realms.get('demo'))?.representation.authenticatorConfig ?? [];
  t.deepEqual(
    configs.map(({ alias }) => alias),
    ['with word browser-conditional-credential', 'other'],
  );
  t.like(configs[1], { config: { word: 'b', secret: 's' } });
  t.regex((await browser.submit(asked, { word: 'a' })).text, /name="word"/);
  t.truthy((await browser.submit(asked, { word: 'b' })).location?.searchParams.get('code'));

  const flow = (await authentication.getFlows(demo)).find(({ alias }) => alias === 'with word') ?? {};
  const used = await t.throwsAsync(authentication.deleteFlow({ ...demo, flowId: flow?.id ?? '' }));
  t.regex(String(used?.message), /currently in use: the realm's browserFlow/);
  await authentication.updateFlow({ ...demo, flowId: flow?.id ?? '' }, { alias: 'renamed' });
  t.is((await admin.realms.findOne(demo))?.browserFlow, 'renamed', 'a binding follows the name');
  t.regex((await signIn(new Browser(), codeRequest(host).url)).text, /name="word"/);
  await authentication.delExecution({ ...demo, id });
  t.true(await logsIn(host));
  const left = (await host.realms.get('demo'))?.representation.authenticatorConfig ?? [];
  t.false(
    left.some(({ alias }) => alias === 'other'),
    'its configuration went with it',
  );
  await admin.realms.update(demo, { browserFlow: 'browser' });
  await authentication.deleteFlow({ ...demo, flowId: flow?.id ?? '' });
  const { authenticationFlows, authenticatorConfig } = (await host.realms.get('demo'))?.representation ?? {};
  t.deepEqual([authenticationFlows, authenticatorConfig], [[], []], 'with the flow in it, and what it configured');
  t.true(await logsIn(host));
});

test('Admin API, flows: a flow is built from nothing: flows in flows, steps moved up and down', async (t) => {
  const host = await startAdministered(t, { realms: [codeRealm('demo')] });
  const admin = await adminClient(host, DAVE);
  const { authenticationManagement: authentication } = admin;
  const made = { alias: 'own', description: 'Own', providerId: 'basic-flow', topLevel: true, builtIn: false };
  await authentication.createFlow({ ...demo, ...made });
  await authentication.addExecutionToFlow({ ...demo, flow: 'own', provider: 'auth-cookie' });
  await authentication.addFlowToFlow({
    ...demo,
    flow: 'own',
    alias: 'own forms',
    type: 'basic-flow',
    provider: 'x',
    description: 'd',
  });
  await authentication.addExecutionToFlow({ ...demo, flow: 'own forms', provider: 'auth-username-password-form' });
  const list = async () => authentication.getExecutions({ ...demo, flow: 'own' });
  const names = async () => (await list()).map(({ displayName, level }) => `${level} ${displayName}`);
  t.deepEqual(await names(), ['0 Cookie', '0 own forms', '1 Username Password Form']);
  for (const execution of await list()) {
    await authentication.updateExecution(
      { ...demo, flow: 'own' },
      { ...execution, requirement: execution.level === 0 ? 'ALTERNATIVE' : 'REQUIRED' },
    );
  }
  const forms = (await list())[1];
  await authentication.raisePriorityExecution({ ...demo, id: forms?.id ?? '' });
  t.deepEqual(await names(), ['0 own forms', '1 Username Password Form', '0 Cookie']);
  await authentication.lowerPriorityExecution({ ...demo, id: forms?.id ?? '' });
  await authentication.updateExecution({ ...demo, flow: 'own' }, {
    id: forms?.id,
    displayName: 'own pages',
    priority: 20,
  } as never);
  t.deepEqual(await names(), ['0 Cookie', '0 own pages', '1 Username Password Form']);
  const call = await adminCaller(host);
  const one = await call('GET', `/realms/demo/authentication/executions/${forms?.id}`);
  t.like(one.json, { requirement: 'ALTERNATIVE', authenticatorFlow: true, flowId: forms?.flowId });
  await admin.realms.update(demo, { browserFlow: 'own' });
  t.true(await logsIn(host));
});

test('Admin API, flows: an invalid change is refused, and built-in flows cannot be changed', async (t) => {
  const broken = [
    {
      alias: 'broken',
      topLevel: true,
      authenticationExecutions: [{ authenticator: 'auth-spnego', requirement: 'REQUIRED' }],
    },
  ];
  const host = await startAdministered(t, { realms: [codeRealm('demo', { authenticationFlows: broken })] });
  const call = await adminCaller(host);
  const base = '/realms/demo/authentication';
  const executions = JSON.parse((await call('GET', `${base}/flows/browser/executions`)).text) as {
    id: string;
    displayName: string;
  }[];
  const [cookie, , , forms, password] = executions;
  const [browser] = JSON.parse((await call('GET', `${base}/flows`)).text).filter(
    ({ alias }: { alias: string }) => alias === 'browser',
  );
  const put = (body: object) => call('PUT', `${base}/flows/browser/executions`, body);
  const refusals: [string, Promise<{ status: number; text: string }>, number, RegExp][] = [
    ['an unknown requirement', put({ ...password, requirement: 'SOMETIMES' }), 400, /requirement/],
    ['an unknown step', put({ id: 'nothing', requirement: 'REQUIRED' }), 404, /Illegal execution/],
    ['an unknown flow', call('GET', `${base}/flows/nothing/executions`), 404, /Flow not found/],
    [
      'a binding to no flow',
      call('PUT', '/realms/demo', { browserFlow: 'nothing' }),
      400,
      /browserFlow: authentication flow \\"nothing\\" not found/,
    ],
    [
      'an unknown provider',
      call('POST', `${base}/flows/broken/executions/execution`, { provider: 'nothing' }),
      400,
      /No authentication provider found for id: nothing/,
    ],
    [
      'a built-in flow gets a step',
      call('POST', `${base}/flows/browser/executions/execution`, { provider: 'auth-cookie' }),
      400,
      /illegal to add execution to a built in flow/,
    ],
    [
      'a built-in flow loses a step',
      call('DELETE', `${base}/executions/${cookie?.id}`),
      400,
      /illegal to remove execution from a built in flow/,
    ],
    [
      'a built-in flow is sorted',
      call('POST', `${base}/executions/${cookie?.id}/lower-priority`),
      400,
      /illegal to modify/,
    ],
    ['a built-in flow is removed', call('DELETE', `${base}/flows/${browser.id}`), 400, /Can't delete built in flow/],
    [
      'a built-in flow is renamed',
      call('PUT', `${base}/flows/${browser.id}`, { alias: 'x' }),
      400,
      /cannot be renamed/,
    ],
    ['a flow twice', call('POST', `${base}/flows`, { alias: 'broken' }), 409, /Flow broken already exists/],
    ['a flow without a name', call('POST', `${base}/flows`, { alias: ' ' }), 409, /empty alias name/],
    ['a copy over another', call('POST', `${base}/flows/browser/copy`, { newName: 'broken' }), 409, /already exists/],
  ];
  for (const [what, answering, status, text] of refusals) {
    const answer = await answering;
    t.is(answer.status, status, `${what}: ${answer.text}`);
    t.regex(answer.text, text, what);
  }
  t.is((await host.realms.get('demo'))?.version, 1, 'nothing was written');
  t.true(await logsIn(host));
  t.is((await put({ ...cookie, requirement: 'DISABLED' })).status, 202);
  const browserAgain = new Browser();
  t.truthy((await signIn(browserAgain, codeRequest(host).url)).location?.searchParams.get('code'));
  const silent = await browserAgain.open(codeRequest(host, { prompt: 'none' }).url);
  t.is(silent.location?.searchParams.get('error'), 'login_required', 'without the cookie nobody is known again');
  // As in Keycloak, flows that no user can complete are accepted; the log reports them.
  t.is((await put({ ...forms, requirement: 'DISABLED' })).status, 202);
  t.is((await call('PUT', '/realms/demo', { browserFlow: 'broken' })).status, 204);
  t.deepEqual(
    ['browser', 'broken'].map((flow) =>
      host.log.some(({ message }) => message.includes(`sign in with the flow "${flow}"`)),
    ),
    [true, true],
  );
  t.is((await new Browser().open(codeRequest(host).url)).status, 400);
});

test('Admin API, flows: executions have the priorities that Keycloak gives them', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const flows = '/realms/demo/authentication/flows';
  const own = await call('POST', flows, { alias: 'own', providerId: 'basic-flow', topLevel: true });
  const parentFlow = own.headers.get('location')?.split('/').at(-1);
  const listed = async () => {
    const all = (await call('GET', `${flows}/own/executions`)).json as unknown as Record<string, string>[];
    return all.map(({ providerId, displayName, priority }) => `${providerId ?? displayName} ${priority}`);
  };
  const add = (kind: string, body: object) => call('POST', `${flows}/own/executions/${kind}`, body);
  await add('execution', { provider: 'auth-cookie' });
  await add('execution', { provider: 'auth-otp-form' });
  await add('flow', { alias: 'last', type: 'basic-flow' });
  await add('flow', { alias: 'first', type: 'basic-flow', priority: 0 });
  const execution = { parentFlow, authenticator: 'deny-access-authenticator', requirement: 'REQUIRED' };
  await call('POST', '/realms/demo/authentication/executions', { ...execution, priority: 1 });
  t.deepEqual(await listed(), ['auth-cookie 0', 'first 0', 'auth-otp-form 1', 'deny-access-authenticator 1', 'last 2']);
  const all = (await call('GET', `${flows}/own/executions`)).json as unknown as { id: string }[];
  const sent = { id: all[4]?.id, requirement: 'DISABLED' };
  t.is((await call('PUT', `${flows}/own/executions`, sent)).status, 202);
  t.deepEqual(
    (await listed()).slice(0, 3),
    ['auth-cookie 0', 'first 0', 'last 0'],
    'a change without one puts it at 0',
  );
});

/** The list of a new realm in Keycloak 26.7.3, without VERIFY_PROFILE, which is enabled there. */
const ACTIONS_OF_KEYCLOAK = [
  ['TERMS_AND_CONDITIONS', false, 20],
  ['UPDATE_PROFILE', true, 40],
  ['VERIFY_EMAIL', true, 50],
  ['CONFIGURE_TOTP', true, 54],
  ['UPDATE_PASSWORD', true, 57],
  ['delete_account', false, 60],
  ['UPDATE_EMAIL', false, 70],
  ['webauthn-register', true, 80],
  ['webauthn-register-passwordless', true, 90],
  ['VERIFY_PROFILE', false, 100],
  ['delete_credential', true, 110],
  ['idp_link', true, 120],
  ['CONFIGURE_RECOVERY_AUTHN_CODES', true, 130],
  ['update_user_locale', true, 1000],
];

test('Admin API, flows: required actions are listed, changed, unregistered and registered again', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const { authenticationManagement: authentication } = await adminClient(host, DAVE);
  const aliases = async () => (await authentication.getRequiredActions()).map(({ alias }) => alias);
  const all = await aliases();
  const listed = await authentication.getRequiredActions();
  t.deepEqual(
    listed.map(({ alias, enabled, priority }) => [alias, enabled, priority]),
    ACTIONS_OF_KEYCLOAK,
  );
  const alias = 'delete_account';
  const action = await authentication.getRequiredActionForAlias({ ...demo, alias });
  t.deepEqual(action as object, {
    alias,
    name: 'Delete Account',
    providerId: alias,
    enabled: false,
    defaultAction: false,
    priority: 60,
    config: {},
  });
  await authentication.updateRequiredAction(
    { ...demo, alias },
    { ...action, enabled: true, defaultAction: true, config: { a: '1' } },
  );
  await authentication.raiseRequiredActionPriority({ ...demo, alias });
  t.is((await aliases())[all.indexOf(alias) - 1], alias);
  t.like(await authentication.getRequiredActionForAlias({ ...demo, alias }), {
    enabled: true,
    defaultAction: true,
    config: { a: '1' },
  });
  await authentication.lowerRequiredActionPriority({ ...demo, alias });
  t.deepEqual(await aliases(), all);
  t.deepEqual(await authentication.getUnregisteredRequiredActions(), []);
  await authentication.deleteRequiredAction({ ...demo, alias });
  t.falsy(await authentication.getRequiredActionForAlias({ ...demo, alias }));
  t.deepEqual(await authentication.getUnregisteredRequiredActions(), [{ providerId: alias, name: 'Delete Account' }]);
  await authentication.registerRequiredAction({ ...demo, providerId: alias, name: 'Terms' });
  t.like(await authentication.getRequiredActionForAlias({ ...demo, alias }), { name: 'Terms', enabled: true });
  await t.throwsAsync(authentication.registerRequiredAction({ ...demo, providerId: alias, name: 'Terms' }), {
    message: /registered already/,
  });
  await t.throwsAsync(authentication.registerRequiredAction({ ...demo, providerId: 'nothing', name: 'x' }), {
    message: /not found/,
  });
});
