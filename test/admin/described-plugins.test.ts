import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { startHost } from '../helpers/host.js';
import { providersFolder } from '../helpers/plugins.js';

const SETTINGS = `settings: { type: 'object', required: ['word'], properties: {
  word: { type: 'string', title: 'Word', description: 'What is asked for.', default: 'please' },
  times: { type: 'integer', default: 3 },
  loud: { type: 'boolean', default: true },
  mood: { enum: ['good', 'bad'], default: 'good' },
  tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a', 'b'] },
  names: { type: 'array', items: { type: 'string' } },
  role: { type: 'string', format: 'role' }, app: { type: 'string', format: 'client' },
  attribute: { type: 'string', format: 'user-attribute' }, phrase: { type: 'string', format: 'password' },
} }`;

/** A plugin with a described provider for each SPI, and a step and a mapper without a description. */
const DESCRIBED = `import { ActionTokenHandler, Authenticator, ProtocolMapper, provide, RequiredAction } from '@keyhost/spi';
const describe = { displayName: 'A word', helpText: 'Asks for a word.' };
const done = async () => ({ outcome: 'success' });
const step = { open: () => ({ create: () => ({ authenticate: done }) }) };
const mapper = { open: () => ({ create: () => ({ map: () => ({}) }) }) };
const token = { eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'invalid_request', defaultMessage: 'invalidRequestMessage' };
export default { name: 'described', api: 1, providers: [
  provide(Authenticator, { id: 'word', describe: { ...describe, requirements: ['REQUIRED'] }, ${SETTINGS}, ...step }),
  provide(Authenticator, { id: 'plain', describe: { displayName: 'Plain' }, ...step }),
  provide(Authenticator, { id: 'silent', ...step }),
  provide(Authenticator, { id: 'some', describe: { displayName: 'Some', category: 'condition' }, open: () => ({ create: () => ({ isMet: async () => true }) }) }),
  provide(ProtocolMapper, { id: 'claim', describe, ${SETTINGS}, ...mapper }),
  provide(ProtocolMapper, { id: 'quiet', ...mapper }),
  provide(RequiredAction, { id: 'colour', displayText: 'A colour', ${SETTINGS}, open: () => ({ create: () => ({ challenge: done, action: done }) }) }),
  provide(ActionTokenHandler, { id: 'invite', describe: { displayName: 'Invitation', helpText: 'Lets somebody in.' }, ...token, open: () => ({ create: () => ({ handle: async () => ({}) }) }) }),
] };`;

const PLAIN = { helpText: '', secret: false, required: false, readOnly: false };
/** The form of SETTINGS, in the format of Keycloak's admin console. */
const FORM = [
  {
    ...PLAIN,
    name: 'word',
    label: 'Word',
    type: 'String',
    helpText: 'What is asked for.',
    required: true,
    defaultValue: 'please',
  },
  { ...PLAIN, name: 'times', label: 'times', type: 'String', defaultValue: '3' },
  { ...PLAIN, name: 'loud', label: 'loud', type: 'boolean', defaultValue: 'true' },
  { ...PLAIN, name: 'mood', label: 'mood', type: 'List', defaultValue: 'good', options: ['good', 'bad'] },
  { ...PLAIN, name: 'tags', label: 'tags', type: 'MultivaluedList', defaultValue: 'a##b', options: ['a', 'b'] },
  { ...PLAIN, name: 'names', label: 'names', type: 'MultivaluedString' },
  { ...PLAIN, name: 'role', label: 'role', type: 'Role' },
  { ...PLAIN, name: 'app', label: 'app', type: 'ClientList' },
  { ...PLAIN, name: 'attribute', label: 'attribute', type: 'UserProfileAttributeList' },
  { ...PLAIN, name: 'phrase', label: 'phrase', type: 'String', secret: true },
];

const flag = (name: string, label: string, defaultValue = 'true') => ({
  ...PLAIN,
  name,
  label,
  type: 'boolean',
  defaultValue,
});
/** The flags that the host adds to the form of each mapper: the tokens that contain its claims. */
const FLAGS = [
  flag('id.token.claim', 'Add to ID token'),
  flag('access.token.claim', 'Add to access token'),
  flag('lightweight.claim', 'Add to lightweight access token', 'false'),
  flag('userinfo.token.claim', 'Add to userinfo'),
  flag('introspection.token.claim', 'Add to token introspection'),
];

test('descriptions of plugins: providers of plugins have names, help and forms in the console, as built-in ones do', async (t) => {
  const providersDir = await providersFolder(t, { described: DESCRIBED });
  for (const isolation of ['none', 'worker']) {
    const host = await startAdministered(t, {
      realms: [
        codeRealm('demo', {
          providers: {},
          requiredActions: [
            { alias: 'colour', providerId: 'colour', name: 'Colour', enabled: true, config: { word: 'please' } },
          ],
        }),
        codeRealm('other', { providers: {} }),
      ],
      plugins: [{ module: 'described', isolation }],
      argv: ['--providers-dir', providersDir],
    });
    const call = await adminCaller(host);
    const get = async (path: string) => JSON.parse((await call('GET', path)).text);
    const base = '/realms/demo/authentication';

    const steps: { id: string }[] = await get(`${base}/authenticator-providers`);
    const shown = (id: string) => steps.find((step) => step.id === id);
    t.deepEqual(shown('word') as object, { id: 'word', displayName: 'A word', description: 'Asks for a word.' });
    t.deepEqual(shown('silent') as object, { id: 'silent', displayName: 'silent', description: 'described' });
    const places = ['auth-otp-form', 'word', 'silent', 'some', 'auth-spnego'].map((id) =>
      steps.findIndex((step) => step.id === id),
    );
    t.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      'steps, conditions, then what this host cannot run',
    );
    t.deepEqual(await get(`${base}/config-description/word`), {
      name: 'A word',
      providerId: 'word',
      helpText: 'Asks for a word.',
      properties: FORM,
    });

    await call('POST', `${base}/flows`, { alias: 'own', providerId: 'basic-flow', topLevel: true });
    for (const provider of ['word', 'plain', 'silent', 'some']) {
      t.is((await call('POST', `${base}/flows/own/executions/execution`, { provider })).status, 201);
    }
    const choices = (await get(`${base}/flows/own/executions`)).map(
      (one: { displayName: string; requirementChoices: string[]; configurable: boolean }) =>
        `${one.displayName}: ${one.requirementChoices.join(' ')}${one.configurable ? ', configurable' : ''}`,
    );
    t.deepEqual(choices, [
      'A word: REQUIRED DISABLED, configurable',
      'Plain: REQUIRED ALTERNATIVE DISABLED',
      // Its settings are unknown, so it counts as configurable.
      'silent: REQUIRED ALTERNATIVE DISABLED, configurable',
      'Some: REQUIRED DISABLED',
    ]);

    t.deepEqual((await get(`${base}/required-actions/colour/config-description`)).properties, FORM);
    const actions: { alias: string; configurable: boolean }[] = await get(
      '/realms/demo/ui-ext/authentication-management/required-actions',
    );
    t.true(actions.find(({ alias }) => alias === 'colour')?.configurable);
    const unregistered: object[] = await get('/realms/other/authentication/unregistered-required-actions');
    t.deepEqual(unregistered.at(-1), { providerId: 'colour', name: 'A colour' });

    const mappers: { id: string }[] = (await get('/serverinfo')).protocolMapperTypes['openid-connect'];
    t.deepEqual(mappers.find(({ id }) => id === 'claim') as object, {
      id: 'claim',
      name: 'A word',
      category: 'Token mapper',
      helpText: 'Asks for a word.',
      priority: 0,
      properties: [...FORM, ...FLAGS],
    });
    t.like(
      mappers.find(({ id }) => id === 'quiet'),
      { name: 'quiet', helpText: 'described', properties: FLAGS },
    );
    const german = JSON.parse((await call('GET', '/serverinfo', undefined, { 'accept-language': 'de' })).text);
    const germanMappers: { id: string; properties: { label: string }[] }[] =
      german.protocolMapperTypes['openid-connect'];
    t.is(germanMappers.find(({ id }) => id === 'quiet')?.properties[0]?.label, 'Im ID-Token');

    const handler = await get('/realms/demo/providers/action-token-handler/invite');
    t.like(handler, { displayName: 'Invitation', helpText: 'Lets somebody in.' });
    await host.close();
  }
});

test('descriptions of plugins: a step’s settings are checked against its declaration, in files and in the Admin API', async (t) => {
  const argv = ['--providers-dir', await providersFolder(t, { described: DESCRIBED })];
  const plugins = [{ module: 'described' }];
  const realm = (config: Record<string, string>, authenticatorConfig = 'a word') =>
    codeRealm('demo', {
      providers: {},
      authenticationFlows: [
        {
          alias: 'own',
          authenticationExecutions: [{ authenticator: 'word', requirement: 'REQUIRED', authenticatorConfig }],
        },
      ],
      authenticatorConfig: [{ alias: 'a word', config }],
    });
  const ill = { times: 'three', mood: 'godo', tags: 'a##c', loud: 'yes', word: 'any', other: 'passes' };
  const problemsOf = async (file: ReturnType<typeof realm>) => {
    const refused = (await t.throwsAsync(startHost(t, { realms: [file], plugins, argv }))) as unknown as {
      problems: { path: string; message: string }[];
    };
    return refused.problems.map(({ path, message }) => `${path} ${message}`).sort();
  };
  const at = 'authenticatorConfig[0].config';
  t.deepEqual(await problemsOf(realm({ times: '3', word: '' })), [`${at} "word" is missing`]);
  t.deepEqual(await problemsOf(realm({ word: 'any' }, 'another')), [
    'authenticationFlows[0].authenticationExecutions[0] "word" needs the setting "word": name an entry of authenticatorConfig that has it',
  ]);
  t.deepEqual(await problemsOf(realm(ill)), [
    `${at}.loud must be a boolean`,
    `${at}.mood must be one of good, bad`,
    `${at}.tags[1] must be one of a, b`,
    `${at}.times must be an integer`,
  ]);

  const host = await startAdministered(t, {
    realms: [realm({ times: '3', mood: 'bad', tags: 'a##b', word: 'any' })],
    plugins,
    argv,
  });
  const call = await adminCaller(host);
  const base = '/realms/demo/authentication';
  const [step] = JSON.parse((await call('GET', `${base}/flows/own/executions`)).text);
  const path = `${base}/config/${step.authenticationConfig}`;
  const put = (times: string) => call('PUT', path, { alias: 'a word', config: { times } });
  const answer = await put('many');
  t.is(answer.status, 400);
  t.regex(answer.text, /times: must be an integer/);
  t.is((await put('7')).status, 204);
});
