import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { providersFolder, writePackage } from '../helpers/plugins.js';
import { COMPILED, folder, type Run, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { STATE_2, tally } from '../helpers/stateful-plugin.js';

/** Migrates up to an entry at which its process is killed. */
const MIGRATION_THAT_KILLS = `{ version: 2, migrate: ({ key, value }) => {
  if (key === 'k150') process.kill(process.pid, 'SIGKILL');
  return { key: 'half-' + key, value };
} }`;

async function entries({ url }: Run): Promise<{ key: string; value: unknown }[]> {
  const { json } = await fetchAnswer(`${url}/realms/demo/tally`);
  return (json as unknown as { entries: { key: string; value: unknown }[] }).entries;
}

for (const isolation of ['none', 'worker']) {
  test(`stored state of plugins: after kill -9 in the midst of a migration, either version has all of its entries (${isolation})`, async (t) => {
    const on = { providers: { 'realm-restapi-extension': { tally: { enabled: true } } } };
    const dir = await folder(t, [testRealm('demo', on)]);
    const packages = await providersFolder(t, { tally: tally('1', '{ version: 1 }') });
    await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'tally', isolation }] }));
    const start = () => run(t, dir, ['start-dev', '--providers-dir', packages], {}, '0', COMPILED);
    const install = (source: string, version: string) => writePackage(packages, 'tally', source, version);
    const kill = async (host: Run) => {
      host.child.kill('SIGKILL');
      await host.ended;
    };
    const write = ({ url }: Run, key: string) => {
      const headers = { 'content-type': 'application/json' };
      return fetchAnswer(`${url}/realms/demo/tally/${key}`, { method: 'PUT', headers, body: '1' });
    };

    const first = await start();
    const keys = Array.from({ length: 200 }, (_, n) => `k${String(n).padStart(3, '0')}`);
    for (const key of keys) t.is((await write(first, key)).status, 204);
    await kill(first);
    const dies = async () => {
      await install(tally('2', MIGRATION_THAT_KILLS), '2.0.0');
      const half = await start();
      t.is(half.url, undefined);
      t.is(await half.ended, 'SIGKILL');
    };

    await dies();
    await install(tally('1', '{ version: 1 }'), '1.0.0');
    const older = await start();
    t.deepEqual(
      (await entries(older)).map(({ key }) => key),
      keys,
    );
    t.is((await write(older, 'more')).status, 204, 'the older version writes on');
    await kill(older);

    await dies();
    await install(tally('2', STATE_2), '2.0.1');
    const newer = await start();
    t.deepEqual(
      (await entries(newer)).map(({ key }) => key),
      [...keys, 'more'].map((key) => `n-${key}`),
    );
    await kill(newer);
    await install(tally('1', '{ version: 1 }'), '1.0.0');
    const back = await start();
    t.deepEqual(
      (await entries(back)).map(({ key }) => key),
      [...keys, 'more'],
    );
  });
}
