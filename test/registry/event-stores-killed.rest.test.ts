import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, ROOT } from '../helpers/admin.js';
import { eventStore, startEventService } from '../helpers/event-service.js';
import { eventually } from '../helpers/eventually.js';
import { providersFolder } from '../helpers/plugins.js';
import { COMPILED, folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

test('event stores of plugins: after kill -9 no change is without its event in the store of a plugin that was away', async (t) => {
  const service = await startEventService(t);
  service.state = 'away';
  const providers = { eventsStore: { archive: { enabled: true, config: { url: service.url } } } };
  const dir = await folder(t, [testRealm('demo', { providers, adminEventsEnabled: true })]);
  const packages = await providersFolder(t, { archive: eventStore('archive') });
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'archive' }] }));
  const admin = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];
  const start = () => run(t, dir, ['start-dev', '--providers-dir', packages, ...admin], {}, '0', COMPILED);
  const first = await start();
  const call = await adminCaller(remote(first));
  const answered: string[] = [];
  const making = (async () => {
    for (let count = 0; ; count += 1) {
      const { status } = await call('POST', '/realms/demo/roles', { name: `role-${count}` });
      if (status === 201) answered.push(`roles/role-${count}`);
    }
  })().catch(() => {});
  await eventually(() => answered.length >= 20);
  first.child.kill('SIGKILL');
  await Promise.all([first.ended, making]);
  t.is(service.kept.size, 0);
  service.state = 'up';
  const second = await start();
  const roles = await (await adminCaller(remote(second)))('GET', '/realms/demo/roles?max=1000');
  const there = (roles.json as unknown as { name: string }[]).flatMap(({ name }) =>
    name.startsWith('role-') ? [`roles/${name}`] : [],
  );
  await eventually(() => service.kept.size >= there.length);
  const kept = [...service.kept.values()].map((event) => ('resourcePath' in event ? event.resourcePath : ''));
  t.true(answered.every((path) => there.includes(path)));
  t.deepEqual([...kept].sort(), [...there].sort(), 'each change has its event, and each event its change');
  t.deepEqual(kept.slice(0, answered.length), answered, 'in order');
});
