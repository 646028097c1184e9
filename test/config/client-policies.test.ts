import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { onePolicy } from '../helpers/client-policies.js';
import { keyhost } from '../helpers/command.js';
import { providersFolder } from '../helpers/plugins.js';
import { POLICY_PLUGIN } from '../helpers/policy-plugin.js';
import { folder } from '../helpers/process.js';

test('realm files, client policies: unknown providers are reported by name at their places', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const check = async (realm: object) => {
    await writeFile(file, JSON.stringify({ realm: 'demo', ...realm }, null, 2));
    return keyhost(['realm', 'check', file, ...places]);
  };
  const fine = await check(onePolicy([['pkce-enforcer', { 'auto-configure': 'true' }]]));
  t.is(fine.code, 0, fine.stdout);

  const { clientProfiles } = onePolicy([['dpop-bind-enforcer'], ['pkce-enforcer', { 'auto-configur': true }]]);
  const policies = [
    { name: 'fapi', conditions: [{ condition: 'any-clint' }], profiles: ['fapi-1-baseline', 'sfe', 'safe', 'safe'] },
    { name: 'fapi', enabled: 'perhaps' },
    { conditions: [{ condition: 'client-kind' }] },
  ];
  const wrong = await check({ clientProfiles, clientPolicies: { policies } });
  t.is(wrong.code, 1);
  for (const line of [
    /demo\.json:9:13 clientProfiles\.profiles\[0]\.executors\[0]\.executor: executor "dpop-bind-enforcer" is not supported/,
    /demo\.json:15:\d+ .*executors\[1]\.configuration\S*auto-configur\S*: unknown key \(did you mean "auto-configure"\?\)/,
    /clientPolicies\.policies\[0]\.conditions\[0]\.condition: condition "any-clint" is not supported.*\(did you mean "any-client"\?\)/,
    /policies\[0]\.profiles\[0]: Keyhost does not support "fapi-1-baseline"/,
    /policies\[0]\.profiles\[1]: client profile "sfe" not found \(did you mean "safe"\?\)/,
    /policies\[0]\.profiles\[3]: the client profile "safe" is used twice/,
    /policies\[1]\.name: the client policy "fapi" is used twice/,
    /policies\[1]\.enabled: must be a boolean/,
    /policies\[2]\S*: a client policy requires a name/,
    /policies\[2]\.conditions\[0]\.condition: condition "client-kind" is not supported/,
  ]) {
    t.regex(wrong.stdout, line);
  }
});

test('realm files, client policies: settings of plugins’ conditions and executors are checked at their places', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const plugins = join(dir, 'plugins.json');
  await writeFile(plugins, JSON.stringify({ plugins: [{ module: 'p' }] }));
  const providers = await providersFolder(t, { p: POLICY_PLUGIN });
  const check = async (realm: object) => {
    await writeFile(file, JSON.stringify({ realm: 'demo', ...realm }, null, 2));
    const places = ['--data-dir', join(dir, 'data'), '--plugins-file', plugins, '--providers-dir', providers];
    return keyhost(['realm', 'check', file, ...places]);
  };
  const fine = await check(onePolicy([['does', { times: '3' }]], [['says', { answer: '"yes"' }], ['at-night']]));
  t.is(fine.code, 0, fine.stdout);
  const wrong = await check(onePolicy([['does', { times: 'three' }]], [['at-nite']]));
  t.is(wrong.code, 1);
  t.regex(wrong.stdout, /demo\.json:11:\d+ .*executors\[0]\.configuration\.times: must be an integer/);
  t.regex(wrong.stdout, /condition "at-nite" is not supported.*\(did you mean "at-night"\?\)/);
});

test('realm files, client policies: changes are planned one by one', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const run = async (verb: string, realm: object) => {
    await writeFile(file, JSON.stringify({ realm: 'demo', ...realm }, null, 2));
    const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
    return keyhost(['realm', verb, file, ...places]);
  };
  const { clientProfiles, clientPolicies } = onePolicy([['confidential-client']]);
  t.is((await run('apply', { clientProfiles, clientPolicies })).code, 0);
  const profiles = [...(clientProfiles.profiles ?? []), { name: 'later' }];
  const policies = clientPolicies.policies?.map((policy) => ({ ...policy, enabled: false }));
  const { stdout: out } = await run('plan', { clientProfiles: { profiles }, clientPolicies: { policies } });
  t.regex(out, /client profile later is created/);
  t.regex(out, /client policy everybody is disabled/);
  t.notRegex(out, /client profile safe/);
});
