import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseOptions } from '../../core/config/options/options.js';
import { createHost } from '../../core/host/host.js';
import type { Host } from '../../core/host/running-host.js';
import { Realms } from '../../core/realms/realms.js';
import { Store } from '../../core/store/module.js';
import { Users } from '../../core/users/users.js';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder, run } from '../helpers/process.js';

const PRODUCTION = ['--hostname', 'http://id.example', '--http-enabled'];
const given = (username: string, password: string) => [
  '--bootstrap-admin-username',
  username,
  '--bootstrap-admin-password',
  password,
];

/**
 * Starts a host in this process with the folder's data. The password is not displayed, because the command does that.
 */
async function start(t: ExecutionContext, dir: string, argv: string[] = [], mode: 'start' | 'start-dev' = 'start-dev') {
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'silent'];
  const plugins = ['--plugins-file', join(dir, 'plugins.json'), '--watch-plugins', 'false'];
  const host = await createHost(parseOptions([...ports, ...places, ...plugins, ...argv], {}, mode));
  t.teardown(() => host.close());
  return host;
}

/** True if a token request of this admin succeeds. */
async function logsIn(url: string, form: Record<string, string>): Promise<boolean> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...form });
  const { status, json } = await fetchAnswer(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body,
  });
  if (status !== 200) return false;
  const headers = { authorization: `Bearer ${json.access_token}` };
  return (await fetchAnswer(`${url}/admin/realms/master/users`, { headers })).status === 200;
}

const passwordOf = (host: Host) => host.newAdmin?.password ?? '';

test('T331 · first admin: a password that was never printed is printed by the next start, and by none after that', async (t) => {
  const dir = await folder(t, []);
  const first = await start(t, dir);
  const lost = passwordOf(first);
  t.true(await logsIn(first.url, { username: 'admin', password: lost }));
  // As if it was killed before displaying the password: nothing is written afterwards.
  await first.close();
  const second = await start(t, dir);
  t.is(second.newAdmin?.username, 'admin');
  t.not(passwordOf(second), lost);
  t.false(await logsIn(second.url, { username: 'admin', password: lost }));
  t.true(await logsIn(second.url, { username: 'admin', password: passwordOf(second) }));
  await second.onAdminDisplayed();
  await second.close();
  const third = await start(t, dir);
  t.is(third.newAdmin, undefined);
  t.true(await logsIn(third.url, { username: 'admin', password: passwordOf(second) }));
});

test('T331 · first admin: a process prints it once, also after one that was killed', async (t) => {
  const dir = await folder(t, []);
  const untold = await start(t, dir);
  await untold.close();
  const told = await run(t, dir, ['start-dev']);
  const password = /shown only once\): admin \/ (\S+)/.exec(told.output())?.[1] ?? '';
  t.true(await logsIn(told.url ?? '', { username: 'admin', password }));
  told.child.kill('SIGKILL');
  await told.ended;
  const again = await run(t, dir, ['start-dev']);
  t.notRegex(again.output(), /shown only once/);
  t.true(await logsIn(again.url ?? '', { username: 'admin', password }));
});

test('T331 · first admin: an admin who signed in before it was printed keeps the password, and a removed one does not come back', async (t) => {
  const dir = await folder(t, []);
  const first = await start(t, dir);
  const master = await first.use(Realms).get('master');
  t.truthy(master);
  if (master === undefined) return;
  const admin = await first.use(Users).byUsername(master, 'admin');
  await first.use(Users).change(master, admin?.id ?? '', (draft) => {
    draft.firstName = 'Known';
  });
  const password = passwordOf(first);
  await first.close();
  const second = await start(t, dir);
  t.is(second.newAdmin, undefined);
  t.true(await logsIn(second.url, { username: 'admin', password }));

  const other = await folder(t, []);
  const third = await start(t, other);
  // The API never removes the last one, so the test does it in the database.
  const { users } = third.use(Store);
  await users.remove('master', (await users.byUsername('master', 'admin'))?.id ?? '');
  await third.close();
  t.is((await start(t, other)).newAdmin, undefined);
});

test('T331 · first admin: the admin of the options replaces one whose password was never printed', async (t) => {
  const dir = await folder(t, []);
  const first = await start(t, dir);
  await first.close();
  const second = await start(t, dir, [...PRODUCTION, ...given('root', 'root-password')], 'start');
  t.true(await logsIn(second.url, { username: 'root', password: 'root-password' }));
  t.false(await logsIn(second.url, { username: 'admin', password: passwordOf(first) }));
  t.is(await second.use(Store).users.count('master'), 1);
});

test('T331 · first admin: an admin of the options that cannot be created is an error with the reason', async (t) => {
  const dir = await folder(t, [{ realm: 'master', enabled: true, users: [{ username: 'clerk', enabled: true }] }]);
  const first = await start(t, dir, given('root', 'root-password'));
  await first.close();
  const again = await start(t, dir, given('root', 'another'));
  t.true(await logsIn(again.url, { username: 'root', password: 'root-password' }), 'it was made, and stays as it is');
  await again.close();
  const refused = await run(t, dir, ['start-dev', ...given('late', 'late-password')]);
  t.is(await refused.ended, 1);
  t.regex(
    refused.output(),
    /the bootstrap admin: cannot create late: the realm master already has users.*\[bootstrap_admin]/,
  );
  t.regex(refused.output(), /→ .*keyhost bootstrap-admin user/);
  t.notRegex(refused.output(), /late-password|\n\s+at /);
  const clerk = await run(t, dir, ['start-dev', ...given('clerk', 'x')]);
  t.is(await clerk.ended, 1);
  t.regex(
    clerk.output(),
    /the user clerk already exists in the realm master, without the role admin \[bootstrap_admin]/,
  );
});

test('T331 · first admin: a temporary admin is made by command while no host runs, and never while one does', async (t) => {
  const dir = await folder(t, []);
  const env = { TEMPORARY: 'temporary-password' };
  const make = (...argv: string[]) => keyhost(['bootstrap-admin', ...argv, '--data-dir', join(dir, 'data')], { env });
  const user = await make('user', '--password:env', 'TEMPORARY');
  t.is(user.code, 0, user.stderr);
  t.regex(user.stdout, /Created the user temp-admin with the role admin in the realm master\. It is temporary/);
  const named = await make('service', '--client-id=robot', '--client-secret:env=TEMPORARY', '--no-prompt');
  t.is(named.code, 0, named.stderr);
  for (const { stdout, stderr } of [user, named]) t.notRegex(stdout + stderr, /temporary-password/);

  const host = await run(t, dir, ['start', ...PRODUCTION]);
  t.notRegex(host.output(), /nobody administers/);
  const url = host.url ?? '';
  t.true(await logsIn(url, { username: 'temp-admin', password: env.TEMPORARY }));
  const robot = { grant_type: 'client_credentials', client_id: 'robot', client_secret: env.TEMPORARY };
  t.true(await logsIn(url, robot));
  const running = await make('user', '--username', 'other', '--password:env', 'TEMPORARY');
  t.is(running.code, 1);
  t.regex(running.stderr, /\[store_locked]/);
  host.child.kill();
  await host.ended;

  const mistakes: [string[], RegExp][] = [
    [
      ['user', '--password:env', 'TEMPORARY'],
      /a user with the username of temp-admin already exists in the realm master \[bootstrap_admin]/,
    ],
    [
      ['service', '--client-id', 'robot', '--client-secret:env', 'TEMPORARY'],
      /the client robot already exists in the realm master \[bootstrap_admin]/,
    ],
    [['user', '--username', 'x'], /the password is missing \[options_invalid]\n.*--password:env VARIABLE/],
    [
      ['user', '--password:env', 'UNSET_VARIABLE'],
      /--password:env: the environment variable UNSET_VARIABLE is not set/,
    ],
    [['user', '--client-id', 'x', '--password:env', 'TEMPORARY'], /unknown option --client-id/],
    [['realm'], /unknown command "bootstrap-admin realm"/],
  ];
  for (const [argv, reason] of mistakes) {
    const { code, stderr: err } = await make(...argv);
    t.is(code, 1, argv.join(' '));
    t.regex(err, reason);
  }
  const help = await keyhost(['bootstrap-admin', 'user', '--help']);
  t.is(help.code, 0);
  t.regex(help.stdout, /bootstrap-admin user \[--username NAME] \[--password:env VARIABLE]/);
  t.is((await keyhost(['bootstrap-admin'])).code, 2);
});
