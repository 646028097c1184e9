import { SPIS } from '@keyhost/spi';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, ownRealm, startAdministered } from '../helpers/admin.js';
import { startHost } from '../helpers/host.js';
import { mailSender } from '../helpers/mail-service.js';
import { testRealm } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const SETTINGS = `{ type: 'object', properties: {
  gateway: { type: 'string' }, key: { type: 'string', format: 'password' }, title: { type: 'string', guarded: false } } }`;

/** A plugin with a provider of each relevant SPI. */
const GATES = `
import { Authenticator, EmailSender, EmailTemplate, PasswordPolicy, provide, RealmResourceProvider, RequiredAction, spi, Vault } from '@keyhost/spi';
const Channel = spi({ id: 'sms-channel', name: 'Channel', methods: { required: ['send'] } });
const Looks = spi({ id: 'looks', name: 'Looks', methods: { required: ['send'] }, carries: 'nothing' });
const settings = ${SETTINGS};
const step = { open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }), send: async () => {} }) }) };
export default { name: 'gates', api: 1, spis: [Channel, Looks], providers: [
  ${mailSender('sender-one')},
  ${mailSender('sender-two')},
  provide(EmailTemplate, { id: 'form', realmConfig: settings, open: () => ({ create: () => ({ render: async () => undefined }) }) }),
  provide(Authenticator, { id: 'code', describe: { displayName: 'Code', helpText: '', proves: true }, settings, realmConfig: settings, ...step }),
  provide(Authenticator, { id: 'is-late', describe: { displayName: 'Late', helpText: '', category: 'condition' }, settings,
    open: () => ({ create: () => ({ isMet: async () => true }) }) }),
  provide(RealmResourceProvider, { id: 'codes', sharesConfig: 'authenticator/code', realmConfig: settings,
    routes: { run: { method: 'GET', path: '/', authentication: 'none' } },
    open: () => ({ create: () => ({ run: async () => ({ body: {} }) }) }) }),
  provide(RequiredAction, { id: 'enrol', displayText: 'Enrol', settings, open: () => ({ create: () => ({
    challenge: async () => ({ outcome: 'success' }), action: async () => ({ outcome: 'success' }) }) }) }),
  provide(PasswordPolicy, { id: 'asked', value: { type: 'string' }, realmConfig: settings, open: () => ({ create: () => ({ check: async () => undefined }) }) }),
  provide(Vault, { id: 'safe', realmConfig: settings, open: () => ({ create: () => ({ read: async () => undefined }) }) }),
  provide(Channel, { id: 'sms', realmConfig: settings, ...step }),
  provide(Looks, { id: 'plain', realmConfig: settings, ...step }),
] };`;
const reasons = (...rights: string[]) => Object.fromEntries(rights.map((right) => [right, 'tries it']));
const RIGHTS = { keeper: ['manage-realm', 'view-realm'], whole: ['realm-admin'] };

const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [
      { module: 'gates' },
      ...Object.entries(RIGHTS).map(([module, rights]) => ({
        module,
        isolation: 'worker' as const,
        grants: { '*': rights },
      })),
    ],
    packages: {
      gates: GATES,
      ...Object.fromEntries(
        Object.entries(RIGHTS).map(([name, rights]) => [name, scriptedPlugin(name, reasons(...rights))]),
      ),
    },
  }),
);

const FLOW = {
  alias: 'own',
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions: [
    { authenticator: 'code', requirement: 'REQUIRED', priority: 10, authenticatorConfig: 'code settings' },
    { authenticator: 'is-late', requirement: 'DISABLED', priority: 20 },
  ],
};
const GOOD = { gateway: 'https://sms.example.test', key: 'the key', title: 'Code' };
const EVIL = 'https://evil.example.test';
const BY_ONE = { enabled: true, config: { url: 'https://mail.example.test' } };

async function start(changes: Partial<RealmRepresentation> = {}) {
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    providers: {
      emailSender: { 'sender-one': BY_ONE },
      emailTemplate: { form: { enabled: true, config: GOOD } },
      authenticator: { code: { config: GOOD } },
      vault: { safe: { enabled: true, config: GOOD } },
      'password-policy': { asked: { config: GOOD } },
      'sms-channel': { sms: { enabled: true, config: GOOD } },
      looks: { plain: { enabled: true, config: GOOD } },
      'realm-restapi-extension': { keeper: { enabled: true }, whole: { enabled: true } },
    },
    authenticationFlows: [FLOW],
    authenticatorConfig: [{ alias: 'code settings', config: GOOD }],
    requiredActions: [{ alias: 'enrol', providerId: 'enrol', name: 'Enrol', enabled: true, config: GOOD }],
    ...changes,
    users: [
      ...users,
      administrator('manager', 'manage-realm', 'manage-clients', 'manage-users', 'manage-identity-providers'),
      administrator('boss', 'realm-admin'),
    ],
  }));
  const realm = `/realms/${host.defaultRealm}`;
  const as = (username: string) => adminCaller(host, { realm: host.defaultRealm, username, password: username });
  return { host, realm, manager: await as('manager'), boss: await as('boss') };
}

test('T800 · guarded settings: manage-realm does not change the address of an email sender, and the error names who may', async (t) => {
  const { host, realm, manager, boss } = await start();
  const path = `${realm}/providers/emailSender/sender-one`;
  const refused = await manager('PUT', path, { config: { url: EVIL } });
  t.is(refused.status, 403);
  t.regex(String(refused.json.error_description), /role realm-admin can change providers\.emailSender\.sender-one/);
  const stored = async () => (await host.realms.get(host.defaultRealm))?.representation.providers?.emailSender;
  t.deepEqual(await stored(), { 'sender-one': BY_ONE });
  const shown = (await manager('GET', path)).json as object;
  t.is((await manager('PUT', path, shown)).status, 204, 'what comes back as it was shown is no change');
  t.is((await boss('PUT', path, { config: { url: 'https://other.example.test' } })).status, 204);
});

test('T801 · guarded settings: no manager of a realm switches to another sender, template or vault, nor from a plugin to the built-in one', async (t) => {
  const { realm, manager, boss } = await start();
  const put = (call: typeof manager, place: string, body: object) => call('PUT', `${realm}/providers/${place}`, body);
  const off = { enabled: false };
  for (const [place, body] of [
    ['emailSender/sender-one', off],
    ['emailSender/sender-two', { enabled: true, config: { url: EVIL } }],
    ['emailSender/default', off],
    ['emailTemplate/form', off],
    ['vault/safe', off],
    ['sms-channel/sms', off],
  ] as const) {
    t.is((await put(manager, place, body)).status, 403, place);
  }
  t.is((await put(manager, 'oauth2-grant-type/password', off)).status, 204, 'the host’s own grants are proof enough');
  t.is((await put(boss, 'emailSender/sender-one', off)).status, 204);
  t.is((await put(boss, 'emailSender/sender-two', { enabled: true, config: { url: EVIL } })).status, 204);
});

test('T802 · guarded settings: settings of a realm that decide where codes, mails, passwords and secrets go are guarded, harmless ones are not', async (t) => {
  const { realm, manager, boss } = await start();
  const places = ['authenticator/code', 'emailTemplate/form', 'vault/safe', 'password-policy/asked', 'sms-channel/sms'];
  for (const place of places) {
    const path = `${realm}/providers/${place}`;
    for (const config of [{ gateway: EVIL, key: 'mine' }, { gateway: null, key: null }, { key: 'mine' }]) {
      t.is((await manager('PUT', path, { config })).status, 403, `${place} ${JSON.stringify(config)}`);
    }
    t.is((await manager('PUT', path, { config: { title: 'Another' } })).status, 204, place);
    t.is((await boss('PUT', path, { config: { gateway: EVIL, key: 'mine' } })).status, 204, place);
  }
  t.is((await manager('PUT', `${realm}/providers/looks/plain`, { config: { gateway: EVIL, key: 'k' } })).status, 204);
});

test('T803 · guarded settings: manage-realm changes no gateway of a proving step: not by its settings, new ones, or none', async (t) => {
  const { realm, manager, boss } = await start();
  const base = `${realm}/authentication`;
  const [step, late] = (await manager('GET', `${base}/flows/own/executions`)).json as unknown as readonly {
    id: string;
    authenticationConfig: string;
  }[];
  const config = `${base}/config/${step?.authenticationConfig}`;
  const shown = (await manager('GET', config)).json as unknown as { config: object };
  t.is((await manager('PUT', config, shown)).status, 204, 'the mask stands for the key');
  const evil = { ...shown, config: { gateway: EVIL, key: 'mine' } };
  const refused = await manager('PUT', config, evil);
  t.is(refused.status, 403);
  t.regex(
    String(refused.json.error_description),
    /realm-admin can change the settings of the step code of the flow own/,
  );
  t.is((await manager('PUT', config, { ...shown, config: {} })).status, 403);
  t.is((await manager('DELETE', config)).status, 403);
  const another = { alias: 'mine', config: { gateway: EVIL } };
  t.is((await manager('POST', `${base}/executions/${step?.id}/config`, another)).status, 403);
  t.is((await manager('PUT', config, { ...shown, config: { ...shown.config, title: 'Another' } })).status, 204);
  t.is(
    (await manager('POST', `${base}/executions/${late?.id}/config`, another)).status,
    201,
    'a condition proves nothing',
  );

  t.is(
    (await manager('POST', `${base}/flows/own/copy`, { newName: 'copied' })).status,
    201,
    'the settings are the same',
  );
  t.is((await manager('POST', `${base}/flows/copied/executions/execution`, { provider: 'code' })).status, 201);
  const steps = (await manager('GET', `${base}/flows/copied/executions`)).json as unknown as readonly { id: string }[];
  const added = `${base}/executions/${steps.at(-1)?.id}/config`;
  t.is((await manager('POST', added, { alias: 'new', config: { gateway: EVIL } })).status, 403);
  t.is((await boss('POST', added, { alias: 'new', config: { gateway: EVIL } })).status, 201);
  t.is((await boss('PUT', config, evil)).status, 204);
});

test('T804 · guarded settings: settings of a required action and the value of a password policy redirect nothing', async (t) => {
  const { realm, manager, boss } = await start({ passwordPolicy: 'length(4) and asked(https://sms.example.test)' });
  const path = `${realm}/authentication/required-actions/enrol`;
  const action = (await manager('GET', path)).json as unknown as { config: object };
  t.is((await manager('PUT', path, { ...action, name: 'Enrol now' })).status, 204);
  t.is((await manager('PUT', path, { config: { gateway: EVIL, key: 'mine' } })).status, 403);
  t.is((await manager('PUT', `${path}/config`, { config: { gateway: EVIL, key: 'mine' } })).status, 403);
  t.is((await manager('DELETE', `${path}/config`)).status, 403);
  t.is((await boss('PUT', `${path}/config`, { config: { gateway: EVIL, key: 'mine' } })).status, 204);
  const policy = (value: string) => ({ passwordPolicy: `length(8) and asked(${value})` });
  t.is((await manager('PUT', realm, policy(EVIL))).status, 403);
  t.is((await manager('PUT', realm, policy('https://sms.example.test'))).status, 204, 'another length');
  const twice = `length(8) and asked(https://sms.example.test) and asked(${EVIL})`;
  t.not((await manager('PUT', realm, { passwordPolicy: twice })).status, 204, 'the same policy once more');
  t.not((await manager('PUT', realm, { passwordPolicy: `asked (${EVIL})` })).status, 204, 'with a space');
  t.is((await boss('PUT', realm, policy(EVIL))).status, 204);
});

test('T805 · guarded settings: a plugin that administers realms changes no guarded setting either, unless it reaches administrators', async (t) => {
  const { host, realm, manager } = await start();
  const [step] = (await manager('GET', `${realm}/authentication/flows/own/executions`)).json as unknown as readonly {
    authenticationConfig: string;
  }[];
  const change = { alias: 'code settings', config: { gateway: EVIL, key: 'mine' } };
  const path = `/authentication/config/${step?.authenticationConfig}`;
  for (const plugin of ['keeper', 'whole']) {
    const answer = await ask(host, host.defaultRealm, plugin, 'admin', 'request', 'PUT', path, change);
    t.is(
      (answer as unknown as { value?: { status: number } }).value?.status,
      403,
      `${plugin}: ${JSON.stringify(answer)}`,
    );
    const provider = await ask(
      host,
      host.defaultRealm,
      plugin,
      'admin',
      'request',
      'PUT',
      '/providers/emailSender/sender-one',
      {
        enabled: false,
      },
    );
    t.truthy(provider.error, plugin);
  }
});

test('T806 · guarded settings: each SPI of the host declares whether its settings are guarded, and a plugin’s SPI cannot change that', async (t) => {
  for (const { id, carries } of SPIS) {
    t.true(typeof carries === 'function' || ['mails', 'proof', 'credentials', 'nothing'].includes(String(carries)), id);
  }
  const packages = { gates: GATES.replace("carries: 'nothing'", "carries: 'everything'") };
  const error = await t.throwsAsync(startHost(t, { realms: [], plugins: [{ module: 'gates' }], packages }));
  t.regex(String(error?.message), /SPI looks: carries must be mails, proof, credentials or nothing/);
});

test('T822 · guarded settings: manage-realm alone does not decide who may create newsletter links, and for whom', async (t) => {
  const base = testRealm('demo');
  const users = [...(base.users ?? []), administrator('manager', 'manage-realm'), administrator('boss', 'realm-admin')];
  const providers = {
    'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'client' } } },
  };
  const host = await startAdministered(t, {
    realms: [{ ...base, users, providers }],
    plugins: [{ module: '@keyhost/newsletter' }],
  });
  const path = '/realms/demo/providers/realm-restapi-extension/newsletter';
  const as = (username: string) => adminCaller(host, { realm: 'demo', username, password: username });
  const manager = await as('manager');
  const boss = await as('boss');
  for (const config of [{ authentication: 'none' }, { privilegedSubjects: true }, { tokenType: 'execute-actions' }]) {
    t.is((await manager('PUT', path, { config })).status, 403, JSON.stringify(config));
  }
  t.is((await manager('PUT', path, { config: { requestsPerSecond: 5 } })).status, 204);
  t.is((await boss('PUT', path, { config: { privilegedSubjects: true } })).status, 204);
});
