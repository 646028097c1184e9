import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { ROOT as ADMIN, adminCaller } from '../helpers/admin.js';
import { ran } from '../helpers/command.js';
import { changed, guideEdits } from '../helpers/guide-edits.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder, remote, run } from '../helpers/process.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { testRealm } from '../helpers/realms.js';

/** The password grant runs the guide's step, which rejects everyone: no hour is before the first one. */
const AFTER_HOURS: Partial<RealmRepresentation> = {
  directGrantFlow: 'by day',
  authenticationFlows: [
    {
      alias: 'by day',
      authenticationExecutions: [
        { authenticator: 'direct-grant-validate-username', requirement: 'REQUIRED', priority: 10 },
        { authenticatorFlow: true, flowAlias: 'of the company', requirement: 'CONDITIONAL', priority: 20 },
        { authenticator: 'direct-grant-validate-password', requirement: 'REQUIRED', priority: 30 },
      ],
    },
    {
      alias: 'of the company',
      authenticationExecutions: [
        {
          authenticator: 'conditional-email-domain',
          authenticatorConfig: 'domain',
          requirement: 'REQUIRED',
          priority: 10,
        },
        { authenticator: 'office-hours', authenticatorConfig: 'never', requirement: 'REQUIRED', priority: 20 },
      ],
    },
  ],
  authenticatorConfig: [
    { alias: 'domain', config: { domain: 'example.test' } },
    { alias: 'never', config: { from: '0', until: '0' } },
  ],
};

/** The sources of the host, with the checkout's libraries; the SPI is the copy's own. */
async function copyOfSources(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(ROOT, 'dist', 'contributing-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await cp(join(ROOT, 'package.json'), join(dir, 'package.json'));
  const keep = (path: string) => !/\/(dist|node_modules)$/.test(path);
  await cp(join(ROOT, 'core'), join(dir, 'core'), { recursive: true, filter: keep });
  await mkdir(join(dir, 'node_modules/@keyhost'), { recursive: true });
  await symlink(join(dir, 'core/spi'), join(dir, 'node_modules/@keyhost/spi'));
  const config = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  const own = { ...config, include: ['core'], references: [{ path: 'core/spi' }] };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(own));
  return dir;
}

/** A plugin that implements the guide's kind, in the copy's providers folder. */
const BULLETIN = `import { Announcement, provide } from '@keyhost/spi';
const open = () => ({ create: (session) => ({ text: async () => 'Hello from ' + session.realm.name }) });
export default { name: 'bulletin', api: 1, providers: [provide(Announcement, { id: 'bulletin', open })] };`;

/** Installs the plugin in the copy, and lists it in the plugins.json of the start's folder. */
async function installBulletin(dir: string, place: string): Promise<string> {
  const providers = join(dir, 'providers');
  await mkdir(join(providers, 'bulletin'), { recursive: true });
  const manifest = { name: 'bulletin', version: '1.0.0', type: 'module', exports: './index.js' };
  await writeFile(join(providers, 'bulletin/package.json'), JSON.stringify(manifest));
  await writeFile(join(providers, 'bulletin/index.js'), BULLETIN);
  await writeFile(join(place, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'bulletin' }] }));
  return providers;
}

test('CONTRIBUTING: the code of the guide builds, and works as described', async (t) => {
  const dir = await copyOfSources(t);
  for (const edit of guideEdits(await readFile(join(ROOT, '.github/CONTRIBUTING.md'), 'utf8'))) {
    const file = join(dir, edit.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'text' in edit ? edit.text : changed(await readFile(file, 'utf8'), edit));
  }
  const built = await ran(join(ROOT, 'node_modules/.bin/tsc'), ['-b'], { cwd: dir });
  t.is(built.code, 0, built.stdout);

  const realm = testRealm('demo', AFTER_HOURS);
  const users = [...(realm.users ?? []), { username: 'guest', enabled: true }];
  const providers = { announcement: { bulletin: { enabled: true } } };
  const place = await folder(t, [{ ...realm, users, providers }]);
  const providersDir = await installBulletin(dir, place);
  const admin = ['--bootstrap-admin-username', ADMIN.username, '--bootstrap-admin-password', ADMIN.password];
  const main = join(dir, 'dist/core/main.js');
  const started = await run(t, place, ['start-dev', ...admin, '--providers-dir', providersDir], {}, '0', main);
  t.truthy(started.url, started.output());
  const host = remote(started);

  const grant = { grant_type: 'urn:example:grant-type:guest', client_id: 'web', client_secret: 's3cret:+/%&é' };
  const tokens = await host.token('demo', { ...grant, scope: 'openid' });
  t.is(tokens.status, 200, tokens.text);
  const claims = JSON.parse(Buffer.from(String(tokens.json.access_token).split('.')[1] ?? '', 'base64url').toString());
  t.is(claims.preferred_username, 'guest');
  t.regex((await host.token('demo', { ...grant, scope: 'none-such' })).text, /"invalid_scope"/);

  const call = await adminCaller(host);
  const counted = await call('GET', '/realms/demo/client-count');
  t.is(counted.status, 200, counted.text);
  const listed = JSON.parse((await call('GET', '/realms/demo/clients')).text);
  t.is(Number(counted.text), listed.length);

  const told = await fetchAnswer(`${host.realm('demo')}/announcements`);
  t.deepEqual(JSON.parse(told.text), ['Hello from demo']);

  const password = { grant_type: 'password', client_id: 'web', client_secret: 's3cret:+/%&é', password: 'alice' };
  const late = await host.token('demo', { ...password, username: 'alice' });
  t.regex(late.text, /Access denied/, 'the condition is met and the step lets nobody pass');
  const steps = JSON.parse((await call('GET', '/realms/demo/authentication/authenticator-providers')).text);
  t.like(
    steps.find(({ id }: { id: string }) => id === 'office-hours'),
    { displayName: 'Office hours' },
  );
  const form = JSON.parse((await call('GET', '/realms/demo/authentication/config-description/office-hours')).text);
  t.deepEqual(
    form.properties.map(({ label }: { label: string }) => label),
    ['From', 'Until'],
  );
});
