import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { keyhost } from '../helpers/command.js';
import { startHost } from '../helpers/host.js';
import { figures } from '../helpers/metrics.js';
import { enabledResources, providersFolder } from '../helpers/plugins.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';

const READ_RIGHTS = { 'view-users': 'looks for users who were not here for long' };
const WRITE_RIGHTS = { ...READ_RIGHTS, 'manage-users': 'disables them' };

for (const isolation of ['none', 'worker']) {
  const refusal = async (t: Parameters<typeof startHost>[0], source: string, grants?: object) => {
    const providers = await providersFolder(t, { p: source });
    const started = startHost(t, {
      plugins: [{ module: 'p', isolation, grants }],
      argv: ['--providers-dir', providers],
    });
    return started.then(
      () => ['', ''],
      (error: BootError) => [error.code, error.report()],
    );
  };

  test(`grants of plugins: a missing grant refuses the plugin, and the report says what to grant and why (${isolation})`, async (t) => {
    const [code, report = ''] = await refusal(t, scriptedPlugin('p', WRITE_RIGHTS));
    t.is(code, 'plugin_grants');
    t.true(
      report.startsWith(
        'keyhost: p requires rights that are not granted: view-users (looks for users who were not here for long), ' +
          'manage-users (disables them) [plugin_grants]\n',
      ),
      report,
    );
    const added = 'add this to its entry in plugins.json: "grants": {"*":["view-users","manage-users"]}';
    t.true(report.endsWith(added), report);
    const [, part = ''] = await refusal(t, scriptedPlugin('p', WRITE_RIGHTS), { shop: ['view-users'] });
    t.regex(part, /not granted: manage-users \(disables them\)/);
    t.true(part.endsWith('"grants": {"shop":["view-users"],"*":["manage-users"]}'), part);
    t.deepEqual(await refusal(t, scriptedPlugin('p', WRITE_RIGHTS), { shop: ['view-users', 'manage-users'] }), [
      '',
      '',
    ]);
  });

  test(`grants of plugins: a right that does not exist, or has no reason, is refused (${isolation})`, async (t) => {
    const shape = await refusal(t, scriptedPlugin('p', { 'manage-user': 'x' }));
    t.is(shape[0], 'plugin_shape');
    t.regex(shape[1] ?? '', /needs\.manage-user is not a right \[plugin_shape]\n {2}→ did you mean manage-users\?/);
    t.regex(
      (await refusal(t, scriptedPlugin('p', { 'view-users': ' ' })))[1] ?? '',
      /needs\.view-users must say what it is for/,
    );
    // `impersonation` is not a right for plugins: a plugin never acts as a user.
    t.is((await refusal(t, scriptedPlugin('p', { impersonation: 'x' })))[0], 'plugin_shape');
    const file = await refusal(t, scriptedPlugin('p', READ_RIGHTS), { '*': ['view-user'] });
    t.is(file[0], 'plugins_file_invalid');
    t.regex(file[1] ?? '', /grants\["\*"]\[0].* must be one of .*view-users.*did you mean "view-users"/);
  });
}

test('grants of plugins: a grant in a realm holds there alone: in others it is refused by name, counted and logged', async (t) => {
  const names = ['here', 'apart'];
  const grants = { '*': ['view-users'], shop: ['manage-users'] };
  const providers = Object.fromEntries(names.map((name) => [name, scriptedPlugin(name, WRITE_RIGHTS)]));
  const more = { grants: { ...grants, '*': ['view-users', 'manage-clients'] } };
  const realms = ['shop', 'demo', 'master'].map((name) => testRealm(name, { providers: enabledResources(names) }));
  const host = await startHost(t, {
    realms,
    packages: providers,
    plugins: [
      { module: 'here', ...more },
      { module: 'apart', isolation: 'worker', grants },
    ],
  });
  const surplus = 'plugins.json grants here rights that it does not ask for: manage-clients';
  t.is(host.log.filter(({ message }) => message === surplus).length, 1);
  for (const name of names) {
    const disable = (realm: string) => ask(host, realm, name, 'users', 'update', idIn(realm), { enabled: false });
    t.is((await disable('shop')).error, undefined);
    t.like((await disable('demo')).error, { code: 'plugin_not_granted', status: 500 });
    t.regex(
      (await disable('demo')).error?.message ?? '',
      new RegExp(`^${name} is not granted manage-users in realm demo, which PUT /users/\\{userId} needs`),
    );
    t.is((await ask(host, 'demo', name, 'users', 'byEmail', 'alice@example.org')).error, undefined);
    t.is((await ask(host, 'demo', name, 'users', 'byUsername', 'alice')).error, undefined);
    const clients = await ask(host, 'demo', name, 'clients', 'create', { clientId: 'x' });
    t.is(clients.error?.code, 'plugin_not_granted', 'what it does not ask for it has not, though it is granted');
    t.is((await ask(host, 'demo', name, 'clients', 'byClientId', 'web')).error, undefined);
    t.is((await ask(host, 'master', name, 'users', 'count')).error?.code, 'plugin_not_granted', 'master is named');
    const told = host.log.filter(({ message }) => message === 'plugin request refused: the right is not granted');
    const what = { plugin: name, realm: 'demo', right: 'manage-users', operation: 'PUT /users/{userId}' };
    t.is(told.filter(({ fields }) => JSON.stringify(fields) === JSON.stringify(what)).length, 2);
  }
  t.like(await figures(host, 'keyhost_plugin_ungranted_total'), {
    'plugin=here,right=manage-users': 2,
    'plugin=apart,right=manage-users': 2,
  });
});

for (const isolation of ['none', 'worker']) {
  test(`grants of plugins: an update that needs more is not live until it is granted, and grants are taken back while it serves (${isolation})`, async (t) => {
    const entry = (grants: object) => ({ module: 'p', isolation, grants });
    const all = { '*': ['view-users', 'manage-users'] };
    const scene = await reloadScene(t, () => ({ p: scriptedPlugin('p', READ_RIGHTS) }), {
      plugins: [entry({ '*': ['view-users'] })],
    });
    const { host, write, list } = scene;
    const disable = async () =>
      (await ask(host, 'demo', 'p', 'users', 'update', idIn('demo'), { enabled: false })).error;
    t.is((await disable())?.code, 'plugin_not_granted');
    await write('p', scriptedPlugin('p', WRITE_RIGHTS), '2.0.0');
    const refused = (await t.throwsAsync(host.plugins.reload())) as BootError;
    t.is(refused.code, 'plugin_grants');
    t.is(host.plugins.status().plugins[0]?.version, '1.0.0');
    t.is((await disable())?.code, 'plugin_not_granted');
    await list(entry(all));
    await host.plugins.reload();
    t.is(host.plugins.status().plugins[0]?.version, '2.0.0');
    t.is(await disable(), undefined);
    await list(entry({ ...all, '*': ['view-users'], other: ['manage-users'] }));
    await host.plugins.reload();
    t.is((await disable())?.code, 'plugin_not_granted');
  });
}

test('grants of plugins: plugin verify and plugin add list the needs, the reasons, and the grants', async (t) => {
  const providers = await providersFolder(t, { p: scriptedPlugin('p', WRITE_RIGHTS) });
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-grants-'));
  const pluginsFile = join(dir, 'plugins.json');
  await writeFile(pluginsFile, '{ "plugins": [] }\n');
  const words = ['--plugins-file', pluginsFile, '--providers-dir', providers, '--realms-dir', dir];
  const verify = () => keyhost(['plugin', 'verify', join(providers, 'p'), ...words.slice(0, 4)]);
  const asked =
    /✔ needs {5}view-users: looks for users who were not here for long\n✔ needs {5}manage-users: disables them\n/;
  t.regex((await verify()).stdout, asked);
  const added = await keyhost(['plugin', 'add', 'p', ...words]);
  t.is(added.code, 0, added.stdout + added.stderr);
  t.regex(
    added.stdout,
    /rights, which are not granted:\n {2}view-users: looks for .*\n {2}manage-users: disables them\n/,
  );
  const entry = /add this to the plugins of \S*plugins\.json:\n {2}(\{.*\})\n/.exec(added.stdout)?.[1] ?? '';
  await writeFile(pluginsFile, '{ "plugins": [{ "module": "p" }] }');
  const listed = await verify();
  t.is(listed.code, 1);
  t.regex(listed.stdout, /✘ keyhost: p requires rights that are not granted: .* \[plugin_grants]\n {2}→ .*"grants": /);
  await writeFile(pluginsFile, `{ "plugins": [${entry}] }`);
  const granted = await verify();
  t.is(granted.code, 0);
  t.regex(granted.stdout, asked);
  t.notRegex((await keyhost(['plugin', 'add', 'p', ...words])).stdout, /"grants"/);
});
