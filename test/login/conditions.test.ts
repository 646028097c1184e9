import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { CallTimeout } from '../../core/registry/module.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { pluginSource, providersFolder } from '../helpers/plugins.js';
import { fieldNames } from '../helpers/read-page.js';

/** A condition that some users meet, or that answers as configured; and a step that shows a page. */
const SOME = pluginSource(import.meta.url, 'plugins/some.js');

const REQUIRED = { requirement: 'REQUIRED' };

/** After the password, another step is required if the condition is met. */
function withCondition(name: string, config: Record<string, string>): RealmRepresentation {
  return codeRealm(name, {
    providers: {},
    browserFlow: 'own',
    authenticationFlows: [
      {
        alias: 'own',
        authenticationExecutions: [
          { authenticator: 'auth-username-password-form', ...REQUIRED, priority: 10 },
          { flowAlias: 'for some', requirement: 'CONDITIONAL', priority: 20 },
        ],
      },
      {
        alias: 'for some',
        authenticationExecutions: [
          { authenticator: 'user-of', ...REQUIRED, priority: 10, authenticatorConfig: 'some' },
          { authenticator: 'more', ...REQUIRED, priority: 20 },
        ],
      },
    ],
    authenticatorConfig: [{ alias: 'some', config }],
  });
}

async function start(t: ExecutionContext, realms: RealmRepresentation[]) {
  return startAdministered(t, {
    realms,
    plugins: [{ module: 'some' }],
    argv: ['--providers-dir', await providersFolder(t, { some: SOME })],
    replace: [replacing(CallTimeout, 5000)],
  });
}

test('conditions of plugins: one decides by the login who runs a flow, whatever its name', async (t) => {
  const host = await start(t, [
    withCondition('demo', { users: 'bob##alice' }),
    withCondition('others', { users: 'bob' }),
  ]);
  const browser = new Browser();
  const asked = await signIn(browser, codeRequest(host).url);
  t.regex(asked.text, /More/);
  t.truthy((await browser.submit(asked, {})).location?.searchParams.get('code'));
  const free = await signIn(new Browser(), codeRequest(host, {}, 'others').url);
  t.truthy(free.location?.searchParams.get('code'));
});

test('conditions of plugins: one that throws, is late or answers neither true nor false lets nobody in', async (t) => {
  const words = ['nothing', 'odd', 'throw', 'hang'];
  const host = await start(
    t,
    words.map((answer, index) => withCondition(index === 0 ? 'demo' : answer, { answer })),
  );
  for (const [index, word] of words.entries()) {
    const browser = new Browser();
    const end = await signIn(browser, codeRequest(host, {}, index === 0 ? 'demo' : word).url);
    t.true(end.status >= 500, word);
    t.is(end.location?.searchParams.get('code') ?? null, null, word);
    t.notRegex(end.text, /of the plugin|More/, word);
    t.false(browser.cookies.has('KEYCLOAK_IDENTITY'), word);
  }
  const told = JSON.stringify(host.log);
  t.regex(
    told,
    /some: authenticator\/user-of answered isMet with what its SPI does not allow: answer must be a boolean/,
  );
});

test('CONDITIONAL sub-flow: without a condition it is skipped, and the log warns of it at the start', async (t) => {
  const realm = withCondition('demo', { users: 'bob' });
  const [own, inner] = realm.authenticationFlows ?? [];
  const [, more] = inner?.authenticationExecutions ?? [];
  const host = await start(t, [
    {
      ...realm,
      authenticationFlows: [own, { ...inner, authenticationExecutions: [more] }] as typeof realm.authenticationFlows,
    },
  ]);
  const page = await signIn(new Browser(), codeRequest(host).url);
  t.truthy(page.location?.searchParams.get('code'));
  const warning = 'the flow "for some" is CONDITIONAL and never runs: it has no condition';
  t.true(JSON.stringify(host.log).includes(JSON.stringify(warning).slice(1, -1)));
});

test('conditions of plugins: nobody signs in by a condition alone', async (t) => {
  const host = await start(t, [codeRealm('demo', { providers: {} })]);
  const call = await adminCaller(host);
  const base = '/realms/demo/authentication';
  await call('POST', `${base}/flows`, { alias: 'bare', providerId: 'basic-flow', topLevel: true });
  const added = await call('POST', `${base}/flows/bare/executions/execution`, { provider: 'user-of' });
  t.is(added.status, 201);
  const [step] = JSON.parse((await call('GET', `${base}/flows/bare/executions`)).text);
  t.like(step, {
    displayName: 'Condition - user of',
    requirementChoices: ['REQUIRED', 'DISABLED'],
    configurable: true,
  });
  t.is((await call('PUT', `${base}/flows/bare/executions`, { ...step, requirement: 'ALTERNATIVE' })).status, 202);
  t.is((await call('PUT', `${base}/flows/bare/executions`, { ...step, requirement: 'REQUIRED' })).status, 202);
  t.is((await call('PUT', '/realms/demo', { browserFlow: 'bare' })).status, 204);
  t.true(host.log.some(({ message }) => message.includes('no user can sign in with the flow')));
  const page = await new Browser().open(codeRequest(host).url);
  t.deepEqual([fieldNames(page), page.location], [[], undefined]);
});

test('conditions of plugins: users choose among steps by label, by the text of the ID, by name, or by ID', async (t) => {
  const step = (id: string, describe: string) => `provide(Authenticator, { id: '${id}', ${describe} ...ask('${id}') })`;
  const ways = `import { Authenticator, provide } from '@keyhost/spi';
const ask = (id) => ({ open: () => ({ create: () => ({
  authenticate: async () => ({ outcome: 'challenge', page: { page: 'form', title: { key: id }, fields: [], submit: { key: 'doSubmit' } } }),
  action: async () => ({ outcome: 'success' }),
}) }) });
export default { name: 'ways', api: 1, providers: [
  ${step('first', '')}, ${step('labelled', "describe: { displayName: 'Not me', label: { key: 'way', texts: { en: 'By label' } } },")},
  ${step('worded', "describe: { displayName: 'Not me' },")}, ${step('named', "describe: { displayName: 'By name' },")}, ${step('plain-id', '')},
] };`;
  const ids = ['first', 'labelled', 'worded', 'named', 'plain-id'];
  const inner = ids.map((authenticator, index) => ({ authenticator, requirement: 'ALTERNATIVE', priority: index }));
  const host = await startHost(t, {
    realms: [
      codeRealm('demo', {
        providers: {},
        browserFlow: 'own',
        localizationTexts: { en: { worded: 'By its text' } },
        authenticationFlows: [
          {
            alias: 'own',
            authenticationExecutions: [
              { authenticator: 'auth-username-password-form', priority: 1, ...REQUIRED },
              { flowAlias: 'inner', priority: 2, ...REQUIRED },
            ],
          },
          { alias: 'inner', authenticationExecutions: inner },
        ],
      }),
    ],
    plugins: [{ module: 'ways' }],
    argv: ['--providers-dir', await providersFolder(t, { ways })],
  });
  const { text } = await signIn(new Browser(), codeRequest(host).url);
  for (const name of ['By label', 'By its text', 'By name', 'plain-id']) t.true(text.includes(name), name);
  t.false(text.includes('Not me'));
});
