import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { reloadScene } from '../helpers/reload.js';

/** Number of replacements. There are fewer with workers, because a worker takes longer to start. */
const RELOADS_BY_ISOLATION = { none: 100, worker: 20 };
const CLIENTS = 8;

/** A plugin of two files. It answers with the versions of both, either at once or after a while. */
const twoFilePlugin = (version: number) => ({
  'part.js': `export const part = '${version}';`,
  'index.js': `
import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'a', api: 1, providers: [provide(RealmResourceProvider, {
  id: 'a',
  routes: { quick: { method: 'GET', path: '/' }, slow: { method: 'GET', path: '/slow' } },
  open() {
    let closed = false;
    const answer = async () => {
      const { part } = await import('./part.js');
      return { status: closed ? 500 : 200, body: 'closed: ' + closed + ', ${version} with ' + part };
    };
    return {
      create: () => ({
        quick: answer,
        slow: async () => { await new Promise((resolve) => setTimeout(resolve, 30)); return answer(); },
      }),
      close: () => { closed = true; },
    };
  },
})] };`,
});

for (const [isolation, SWAPS] of Object.entries(RELOADS_BY_ISOLATION))
  test(`reload under load: ${SWAPS} swaps under load: every request is answered by one whole version that is open (${isolation})`, async (t) => {
    const { host, record, write, get } = await reloadScene(
      t,
      ({ resource }) => ({ a: twoFilePlugin(0), b: resource('b', '0') }),
      { plugins: [{ module: 'a', isolation }, 'b'] },
    );
    // In development mode the first version runs from the providers folder itself, so it would see its files change.
    await write('a', twoFilePlugin(1), '1.0.1');
    await host.plugins.reload();
    const answers = new Map<string, number>();
    let stopping = false;
    const client = async () => {
      while (!stopping) {
        for (const path of ['a', 'a/slow', 'b', '.well-known/openid-configuration']) {
          const { status, text } = await get(path);
          const told = path.startsWith('.') ? `${status} ${path}` : `${status} ${text}`;
          answers.set(told, (answers.get(told) ?? 0) + 1);
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let version = 2; version <= SWAPS; version += 1) {
      await write('a', twoFilePlugin(version), `1.0.${version}`);
      t.is((await host.plugins.reload()).outcome, 'replaced');
      const whole = `200 "closed: false, ${version} with ${version}"`;
      await eventually(() => answers.has(whole));
    }
    stopping = true;
    await Promise.all(clients);
    const whole = Array.from({ length: SWAPS + 1 }, (_, version) => `200 "closed: false, ${version} with ${version}"`);
    const others = ['200 {"version":"0"}', '200 .well-known/openid-configuration'];
    t.deepEqual(
      [...answers.keys()].filter((told) => !whole.includes(told) && !others.includes(told)),
      [],
    );
    await eventually(() => host.plugins.status().draining.length === 0);
    // The plugin that was not replaced was opened once and is still open.
    t.deepEqual(record.events, ['open b 0']);
    const status = host.plugins.status();
    const inProcess = isolation === 'none' ? SWAPS : 0;
    t.deepEqual([status.generation, status.swaps, status.loadedInProcess], [SWAPS + 1, SWAPS, inProcess]);
    if (isolation === 'worker') return;
    t.regex(status.warning ?? '', /^100 plugin versions were loaded into this process/);
    const warned = host.log.filter(
      ({ level, message }) => level === 'warn' && message.includes('plugin versions were loaded'),
    );
    t.is(warned.length, 5);
  });
