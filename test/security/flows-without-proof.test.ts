import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import type { FlowRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import type { Answer } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';
import { shareHost } from '../helpers/shared-host.js';
import {
  CODE_ALONE,
  CONFIGS,
  flow,
  GRANT,
  inner,
  isOutside,
  namingSteps,
  refusal,
  step,
  storeDirectly,
  WEAK,
  withManager,
  withWeak,
} from '../helpers/weak-flows.js';

const shared = shareHost(
  test,
  administered({ realms: [], plugins: [{ module: 'steps' }], packages: { steps: namingSteps() } }),
  // Logged for a flow that was written to the store without any check.
  /no step verified the user/,
);

const TOLD = /with the flow \\?"(weak|id of weak)\\?".* anyone can sign in as any user/;

test('T460 · flows without proof: a realm file with one is refused at its place', async (t) => {
  const host = shared();
  for (const [what, flows] of Object.entries(WEAK)) {
    const weak = withWeak(flows);
    const clients = (authenticationFlowBindingOverrides: Record<string, string>) => {
      const { clients: all = [] } = testRealm('x');
      return all.map((one) => (one.clientId === 'web' ? { ...one, authenticationFlowBindingOverrides } : one));
    };
    const bindings: [place: RegExp, changes: Partial<RealmRepresentation>][] = [
      [/json:\d+:\d+ directGrantFlow: with the flow "weak"/, { directGrantFlow: 'weak' }],
      [/json:\d+:\d+ directGrantFlow: with the flow "id of weak"/, { directGrantFlow: 'id of weak' }],
      [/json:\d+:\d+ browserFlow: with the flow "weak"/, { browserFlow: 'weak' }],
      [
        /json:\d+:\d+ clients\[0].authenticationFlowBindingOverrides.direct_grant: with the flow "weak" of the client "web"/,
        { clients: clients({ direct_grant: 'weak' }) },
      ],
      [
        /json:\d+:\d+ clients\[0].authenticationFlowBindingOverrides.browser: with the flow "id of weak"/,
        { clients: clients({ browser: 'id of weak' }) },
      ],
    ];
    for (const [place, changes] of bindings) {
      const told = await refusal(t, host, testRealm('file', { ...weak, ...changes }));
      t.regex(told, place, what);
      t.regex(told, TOLD, what);
      t.regex(told, /describe: \{ proves: true }/, what);
    }
    const [first, ...rest] = flows;
    const renamed = { ...weak, authenticationFlows: [{ ...first, alias: 'direct grant' }, ...rest] };
    const told = await refusal(t, host, testRealm('file', renamed as Partial<RealmRepresentation>));
    t.regex(told, /with the flow "direct grant", anyone/, `${what}, in the place of the built-in flow`);
    // A flow found under an alias must be the one with that alias, not one with that ID.
    const hidden = { ...weak.authenticationFlows?.[0], alias: 'other', id: 'direct grant' };
    const [, ...others] = weak.authenticationFlows ?? [];
    const byId = { ...weak, authenticationFlows: [hidden, ...others] } as Partial<RealmRepresentation>;
    t.regex(
      await refusal(t, host, testRealm('file', byId)),
      /with the flow "direct grant", anyone/,
      `${what}, by its id`,
    );
  }
});

test('T461 · flows without proof: no realm with one is created over HTTP', async (t) => {
  const host = shared();
  const root = await adminCaller(host);
  for (const [what, flows] of Object.entries({ ...WEAK, 'a code alone': CODE_ALONE })) {
    const made = await root('POST', '/realms', { realm: 'made', ...withWeak(flows), directGrantFlow: 'weak' });
    t.is(made.status, 400, what);
    t.regex(made.text, /anyone can sign in as any user/, what);
    t.is((await root('GET', '/realms/made')).status, 404, what);
  }
});

test('T462 · flows without proof: manage-realm binds none, and turns no bound flow into one', async (t) => {
  for (const [what, flows] of Object.entries({ ...WEAK, 'a code alone': CODE_ALONE })) {
    const host = await withManager(shared(), withWeak(flows));
    const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'manager' });
    for (const key of ['directGrantFlow', 'browserFlow', 'resetCredentialsFlow', 'registrationFlow']) {
      for (const name of ['weak', 'id of weak']) {
        const bound = await call('PUT', `/realms/${host.defaultRealm}`, { [key]: name });
        t.is(bound.status, 400, `${what} ${key}`);
        t.regex(bound.text, /anyone can sign in as any user|no user can (sign in|register)/, what);
      }
    }
    t.not((await host.token(host.defaultRealm, GRANT)).status, 200, what);
  }
  const sub = flow('sub', step('direct-grant-validate-password', 'ALTERNATIVE'), inner('met', 'DISABLED'));
  const met = flow('met', step('conditional-user-role', 'REQUIRED', { authenticatorConfig: 'no role' }));
  const allowing = {
    ...met,
    authenticationExecutions: [
      ...(met.authenticationExecutions ?? []),
      step('allow-access-authenticator', 'REQUIRED', { priority: 9 }),
    ],
  };
  const host = await withManager(shared(), {
    directGrantFlow: 'own',
    authenticationFlows: [flow('own', step('direct-grant-validate-username'), inner('sub')), sub, allowing],
    authenticatorConfig: [...CONFIGS],
  });
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'manager' });
  const flows = `/realms/${host.defaultRealm}/authentication/flows`;
  const executions = JSON.parse((await call('GET', `${flows}/own/executions`)).text) as Record<string, string>[];
  const found = (name: string) => executions.find((one) => one.displayName === name || one.providerId === name);
  const edits: [what: string, answer: Promise<Answer>][] = [
    [
      'a condition that is met',
      call('PUT', `${flows}/own/executions`, { ...found('met'), requirement: 'CONDITIONAL' }),
    ],
    [
      'a flow that may be left out',
      call('PUT', `${flows}/own/executions`, { ...found('sub'), requirement: 'ALTERNATIVE' }),
    ],
    ['no flow', call('DELETE', `/realms/${host.defaultRealm}/authentication/executions/${found('sub')?.id}`)],
  ];
  for (const [what, answer] of edits) {
    const { status, text } = await answer;
    t.is(status, 400, `${what} ${text}`);
    t.regex(text, /anyone can sign in as any user/, what);
  }
  t.not((await host.token(host.defaultRealm, GRANT)).status, 200);
  t.is((await host.token(host.defaultRealm, { ...GRANT, password: 'Alice-pass-1!' })).status, 200);
  // Without the password step no login succeeds, although Keycloak accepts it.
  const password = found('direct-grant-validate-password');
  t.is((await call('PUT', `${flows}/own/executions`, { ...password, requirement: 'DISABLED' })).status, 202);
  t.not((await host.token(host.defaultRealm, GRANT)).status, 200);
  t.not((await host.token(host.defaultRealm, { ...GRANT, password: 'Alice-pass-1!' })).status, 200);
});

test('T463 · flows without proof: no client has such a flow of its own, by alias or id, changed or new', async (t) => {
  for (const [what, flows] of Object.entries(WEAK)) {
    const host = await withManager(shared(), withWeak(flows));
    const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'manager' });
    const path = `/realms/${host.defaultRealm}/clients`;
    for (const name of ['weak', 'id of weak']) {
      for (const binding of ['direct_grant', 'browser']) {
        const overrides = { authenticationFlowBindingOverrides: { [binding]: name } };
        const changed = await call('PUT', `${path}/${await clientUuid(host, 'web')}`, {
          clientId: 'web',
          ...overrides,
        });
        t.is(changed.status, 400, what);
        t.regex(changed.text, TOLD, what);
        t.is((await call('POST', path, { clientId: 'new', publicClient: true, ...overrides })).status, 400, what);
      }
    }
    t.not((await host.token(host.defaultRealm, GRANT)).status, 200, what);
  }
});

test('T464 · flows without proof: an import adds no client with one, even if another client has it', async (t) => {
  const flows = WEAK['a password beside a condition that is met'] ?? [];
  const host = await withManager(shared(), withWeak(flows));
  const root = await adminCaller(host);
  const client = (clientId: string) => ({
    clientId,
    publicClient: true,
    directAccessGrantsEnabled: true,
    authenticationFlowBindingOverrides: { direct_grant: 'weak' },
  });
  const body = { ifResourceExists: 'OVERWRITE', clients: [client('imported')] };
  const imported = await root('POST', `/realms/${host.defaultRealm}/partialImport`, body);
  t.is(imported.status, 400);
  t.regex(imported.text, TOLD);
  await storeDirectly(host, ({ clients = [] }) => ({ clients: [...clients, { id: 'old', ...client('old') }] }));
  const second = await root('POST', `/realms/${host.defaultRealm}/partialImport`, body);
  t.is(second.status, 400, 'the mistake that is there already is another one');
  t.regex(second.text, /of the client \\?"imported/);
  const { status } = await host.token(host.defaultRealm, { ...GRANT, client_id: 'imported' });
  t.is(status, 401);
});

test('T468 · flows without proof: a realm admin of master becomes no admin of all', async (t) => {
  const host = shared();
  const root = await adminCaller(host);
  const users = '/realms/master/users';
  await root('POST', users, {
    username: 'keeper',
    enabled: true,
    credentials: [{ type: 'password', value: 'keeper' }],
  });
  const [keeper] = JSON.parse((await root('GET', `${users}?username=keeper`)).text) as { id: string }[];
  const management = await clientUuid(host, 'realm-management', 'master');
  const role = (await root('GET', `/realms/master/clients/${management}/roles/manage-realm`)).json;
  t.is((await root('POST', `${users}/${keeper?.id}/role-mappings/clients/${management}`, [role])).status, 204);
  const call = await adminCaller(host, { username: 'keeper', password: 'keeper' });
  const flows = '/realms/master/authentication/flows';
  const weak = { alias: 'weak', providerId: 'basic-flow', topLevel: true, builtIn: false };
  t.is((await call('POST', flows, weak)).status, 201);
  t.is((await call('POST', `${flows}/weak/executions/flow`, { alias: 'level', type: 'basic-flow' })).status, 201);
  for (const provider of ['conditional-level-of-authentication', 'direct-grant-validate-username']) {
    t.is((await call('POST', `${flows}/level/executions/execution`, { provider })).status, 201);
  }
  const executions = JSON.parse((await call('GET', `${flows}/weak/executions`)).text) as { level: number }[];
  for (const one of executions) {
    const requirement = one.level === 0 ? 'CONDITIONAL' : 'REQUIRED';
    t.is((await call('PUT', `${flows}/weak/executions`, { ...one, requirement })).status, 202);
  }
  const bound = await call('PUT', '/realms/master', { directGrantFlow: 'weak' });
  t.is(bound.status, 400, bound.text);
  t.regex(bound.text, /anyone can sign in as any user/);
  await storeDirectly(host, () => ({ directGrantFlow: 'weak' }), 'master');
  const entered = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', username: 'root' });
  t.deepEqual([entered.status, entered.json.error], [400, 'invalid_grant']);
  await storeDirectly(host, () => ({ directGrantFlow: 'direct grant' }), 'master');
});

test('T469 · flows without proof: a reset flow lets nobody choose a password without the emailed link', async (t) => {
  const flows = [flow('weak', step('names'))];
  const reset = { resetPasswordAllowed: true, resetCredentialsFlow: 'weak' };
  t.regex(
    await refusal(t, shared(), testRealm('file', { ...withWeak(flows), ...reset })),
    /resetCredentialsFlow: with the flow "weak"/,
  );
  const host = await withManager(shared(), withWeak(flows));
  await storeDirectly(host, () => reset);
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  const link = /href="([^"]*reset-credentials[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const asked = await browser.open(new URL(link, page.url).href);
  isOutside(t, asked, 'the flow runs, and has proven nobody');
});

test('T473 · flows without proof: flows that always prove the user are accepted, whatever is beside the proving step', async (t) => {
  const name = step('direct-grant-validate-username');
  const password = step('direct-grant-validate-password');
  const level = step('conditional-level-of-authentication', 'REQUIRED', { authenticatorConfig: 'one' });
  const role = step('conditional-user-role', 'REQUIRED', { authenticatorConfig: 'no role' });
  const allow = step('allow-access-authenticator');
  const flows: Readonly<Record<string, readonly FlowRepresentation[]>> = {
    'a level that everybody goes through': [
      flow('own', name, inner('level', 'CONDITIONAL')),
      flow('level', level, password),
    ],
    'more for some': [flow('own', name, password, inner('some', 'CONDITIONAL')), flow('some', role, allow)],
    'the end for some': [
      flow('own', name, inner('sub')),
      flow('sub', { ...password, requirement: 'ALTERNATIVE' }, inner('some', 'CONDITIONAL')),
      flow('some', role, step('deny-access-authenticator')),
    ],
    'a step that this host does not have': [flow('own', name, step('acme-secret'))],
    'ways of which each proves': [
      flow('own', name, inner('ways')),
      flow('ways', { ...password, requirement: 'ALTERNATIVE' }, { ...password, requirement: 'ALTERNATIVE' }),
    ],
    'a password and a code': [
      flow('own', name, password, inner('code', 'CONDITIONAL')),
      flow('code', step('conditional-user-configured'), step('direct-grant-validate-otp')),
    ],
  };
  for (const [what, own] of Object.entries(flows)) {
    const changes = { authenticationFlows: own, authenticatorConfig: [...CONFIGS], directGrantFlow: 'own' };
    const host = await withManager(shared(), changes as Partial<RealmRepresentation>);
    const letsIn = !/does not have|the end/.test(what);
    t.is(
      (await host.token(host.defaultRealm, { ...GRANT, password: 'Alice-pass-1!' })).status,
      letsIn ? 200 : 400,
      what,
    );
    t.is((await host.token(host.defaultRealm, { ...GRANT, password: 'wrong' })).status, 400, what);
  }
});

test('T474 · flows without proof: a plugin that no longer proves what a flow needs does not replace one that does', async (t) => {
  const source = (describe: string) => `import { Authenticator, provide } from '@keyhost/spi';
export default { name: 'way', api: 1, providers: [provide(Authenticator, { id: 'way', describe: { displayName: 'Way'${describe} },
  open: () => ({ create: (session) => ({ authenticate: async () => ({ outcome: 'success', userId: (await session.users.byUsername('alice'))?.id }) }) }) })] };`;
  const scene = await reloadScene(t, () => ({ way: source(', proves: true') }), {
    realm: { providers: {}, directGrantFlow: 'own', authenticationFlows: [flow('own', step('way'))] },
  });
  t.is((await scene.host.token('demo', GRANT)).status, 200);
  await scene.write('way', source(''));
  const refused = (await t.throwsAsync(scene.host.plugins.reload())) as BootError;
  t.is(refused.code, 'realm_invalid');
  t.regex(refused.report(), /demo\.json:\d+:\d+ directGrantFlow: with the flow "own", anyone can sign in as any user/);
  t.is((await scene.host.token('demo', GRANT)).status, 200, 'the one before goes on');
});
