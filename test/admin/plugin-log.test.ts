import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { resourcePlugin } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields?: string;
  readonly times: number;
}

const SPEAKS = `
  session.logger.warn('asked', { plugin: 'somebody-else', realm: 'another', authorization: 'Bearer abc', left: 3 });
  for (let at = 0; at < 300; at += 1) session.logger.info('again');
  throw new RangeError('over the edge with password=hunter2');`;

test('plugin logs: lines name the plugin and the realm, in process and in a worker, and the newest can be read', async (t) => {
  const { host, get } = await reloadScene(
    t,
    () => ({ a: resourcePlugin('a', SPEAKS), b: resourcePlugin('b', SPEAKS) }),
    administered({
      plugins: [{ module: 'a', isolation: 'worker' }, 'b'],
      enabled: ['a', 'b'],
      realm: { users: [administrator('ria', 'realm-admin')] },
    }),
  );
  const call = await adminCaller(host);
  const linesOf = async (module: string) => (await call('GET', `/plugins/log?module=${module}`)).json.lines as Line[];
  for (const module of ['a', 'b']) {
    t.deepEqual(await linesOf(module), []);
    t.is((await get(module)).status, 500);
    const lines = await eventually(async () => {
      const told = await linesOf(module);
      return told.some(({ times }) => times === 300) && told.some(({ level }) => level === 'error') && told;
    });
    const [asked] = lines;
    t.like(asked, { level: 'warn', message: 'asked', times: 1 });
    t.deepEqual(JSON.parse(asked?.fields ?? ''), { authorization: '***', left: 3, realm: 'demo' });
    const failed = lines.find(({ level }) => level === 'error');
    t.is(failed?.message, 'a call failed: over the edge with password=***');
    t.like(JSON.parse(failed?.fields ?? ''), {
      realm: 'demo',
      provider: `realm-restapi-extension/${module}`,
      end: 'failed',
    });
    const written = host.log.filter(({ message }) => message === 'asked').at(-1);
    t.like(written?.fields, { plugin: module, realm: 'demo', left: 3 });
  }
  t.is((await call('GET', '/plugins/log')).status, 400);
  t.like(await call('GET', '/plugins/log?module=c'), { status: 404, json: { error: 'plugin_missing' } });
  const ria = await adminCaller(host, { realm: 'demo', username: 'ria', password: 'ria' });
  t.is((await ria('GET', '/plugins/log?module=a')).status, 403);
});

test('plugin logs: of a plugin that writes endlessly, the newest two hundred lines are kept', async (t) => {
  const { host, get } = await reloadScene(
    t,
    () => ({
      a: resourcePlugin(
        'a',
        `for (let at = 0; at < 999; at += 1) session.logger.info('line ' + at); return { body: 1 };`,
      ),
    }),
    administered({ plugins: ['a'], enabled: ['a'] }),
  );
  const call = await adminCaller(host);
  t.is((await get('a')).status, 200);
  const lines = (await call('GET', '/plugins/log?module=a')).json.lines as Line[];
  t.is(lines.length, 200);
  t.is(lines[0]?.message, 'line 799');
  t.is(lines.at(-1)?.message, 'line 998');
});
