// Alone: it changes built-ins of its process.
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { beginLoading, undoChanges } from '../../core/registry/loading/builtin-tampering.js';
import { TamperingWatch } from '../../core/registry/loading/tampering-watch.js';
import { eventually } from '../helpers/eventually.js';
import { resourcePlugin } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';

const CHANGING: readonly (readonly [name: string, operation: string, told: RegExp])[] = [
  ['parsing', 'JSON.parse = () => ({}); return { body: {} };', /JSON\.parse is another one/],
  ['polluting', 'Object.prototype.admin = true; return { body: {} };', /Object\.prototype\.admin is new/],
  [
    'digesting',
    "const { default: crypto } = await import('node:crypto'); crypto.timingSafeEqual = () => true; return { body: {} };",
    /crypto\.timingSafeEqual is another one/,
  ],
];

// The host is in this process: each change is undone before the next one is made.
test.serial(
  'T541 · tampering of plugins: a plugin that changes built-ins in a handler is noticed, named, and its change is put back',
  async (t) => {
    const packages = Object.fromEntries([
      ...CHANGING.map(([name, operation]) => [name, resourcePlugin(name, operation)]),
      ['honest', resourcePlugin('honest', 'return { body: {} };')],
    ]);
    const names = Object.keys(packages);
    const { host, get } = await reloadScene(t, () => packages, { plugins: names, enabled: names });
    const { parse } = JSON;
    const watch = host.use(TamperingWatch);
    watch.check();
    t.false(host.log.some(({ message }) => message.includes('whole process')));
    for (const [name, , told] of CHANGING) {
      await get(name);
      watch.check();
      const line = host.log.findLast(({ message }) => message.includes('changed built-ins of the process'));
      t.regex(String(line?.message), told);
      t.like(line, { level: 'error', fields: { code: 'plugin_tampering', plugins: [name] } } as object);
    }
    t.is(JSON.parse, parse);
    t.false('admin' in {});
    const before = host.log.length;
    await get('honest');
    watch.check();
    t.is(host.log.slice(before).filter(({ level }) => level === 'error').length, 0);
  },
);

test.serial(
  'T542 · tampering of plugins: one that does so by a timer is noticed without being asked anything',
  async (t) => {
    const timed = resourcePlugin(
      'timed',
      'setTimeout(() => { String.prototype.startsWith = () => true; }, 0); return { body: {} };',
    );
    const { host, get } = await reloadScene(t, () => ({ timed }), { plugins: ['timed'], enabled: ['timed'] });
    await get('timed');
    const line = await eventually(() => host.log.find(({ message }) => /String\.prototype\.startsWith/.test(message)));
    t.like(line, { level: 'error', fields: { plugins: ['timed'] } } as object);
    t.false('abc'.startsWith('x'));
  },
);

test.serial(
  'T543 · tampering of plugins: a change by a serving plugin is not attributed to one that is loaded after it',
  async (t) => {
    const scene = await reloadScene(
      t,
      ({ resource }) => ({
        late: resourcePlugin('late', 'Array.prototype.includes = () => true; return { body: {} };'),
        good: resource('good', '1'),
      }),
      { plugins: ['late', 'good'], enabled: ['late', 'good'] },
    );
    await scene.get('late');
    await scene.write('good', scene.resource('good', '2'), '2.0.0');
    await scene.host.plugins.reload();
    t.deepEqual(await scene.get('good'), { status: 200, text: '{"version":"2"}' });
    const line = scene.host.log.find(({ message }) => /Array\.prototype\.includes/.test(message));
    t.like(line, { level: 'error', fields: { plugins: ['late'] } } as object);
  },
);

test.serial(
  'T544 · tampering of plugins: a check during the loading of a plugin leaves its changes to that loading',
  async (t) => {
    const { host, write, resource } = await reloadScene(t, ({ resource: of }) => ({ a: of('a', '1') }), {
      plugins: ['a'],
      enabled: ['a'],
    });
    const ends = beginLoading();
    const { parse } = JSON;
    JSON.parse = () => ({});
    host.use(TamperingWatch).check();
    t.not(JSON.parse, parse);
    ends();
    t.deepEqual(undoChanges(), ['JSON.parse is another one']);
    const waiting = 'JSON.parse = () => ({}); await new Promise((resolve) => setTimeout(resolve, 1));';
    await write('a', resource('a', '2', { open: waiting }), '2.0.0');
    const error = (await t.throwsAsync(host.plugins.reload())) as BootError;
    t.is(error.code, 'plugin_tampering');
    t.is(JSON.parse, parse);
  },
);
