import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { enabledPages, pagePlugin } from '../helpers/admin-pages.js';
import { testRealm } from '../helpers/realms.js';

const PAGE = '/realms/demo/pages/notes';

/** A host with a page: `methods` contains `list` for GET and `change` for PUT. */
async function start(t: ExecutionContext, isolation: 'none' | 'worker', methods: string, limits: object = {}) {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: enabledPages('notes'), adminEventsEnabled: true })],
    packages: { notes: pagePlugin('notes', { methods }) },
    plugins: [{ module: 'notes', isolation, limits }],
  });
  const call = await adminCaller(host);
  const ends = async () => JSON.parse((await call('GET', '/realms/demo/providers/admin-page/notes')).text).calls?.ends;
  const changes = async () => {
    await host.events.flush();
    return (await host.store.events.query('demo', { kind: 'admin' })).length;
  };
  return { host, call, ends, changes };
}

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['[]', /no rows/],
  ['undefined', /no rows/],
  ['({ rows: "many" })', /rows that are not a list of objects/],
  ['({ rows: [1] })', /rows that are not a list of objects/],
  ['({ rows: [], html: "x" })', /the unknown member html/],
  ['({ rows: [], more: "yes" })', /a "more" that is neither true nor false/],
  ['({ rows: [], total: -1 })', /a "total" that is not a count/],
  ['({ rows: Array.from({ length: 101 }, () => ({})) })', /101 rows: at most 100 are allowed/],
  ['({ rows: [{ n: 1n }] })', /answer\.rows\[0\]\.n, a bigint: not allowed in JSON/],
  ['({ error: "no" })', /a refusal without error and error_description/],
  ['({ error: "no", error_description: "x", errors: [{ at: 1 }] })', /errors\[0\] without pointer and message/],
  ['({ error: "no", error_description: "x", stack: "x" })', /a refusal with the unknown member stack/],
];

for (const isolation of ['none', 'worker'] as const) {
  test(`admin pages of plugins: a response of another shape is the page’s failure: counted, logged, and not shown (isolation ${isolation})`, async (t) => {
    const cases = WRONG.map(([answer], index) => `if (first === ${index}) return ${answer};`).join('\n');
    const { host, call, ends } = await start(t, isolation, `async list({ first }) { ${cases} },`);
    for (const [index, [answer, reason]] of WRONG.entries()) {
      const { status, text } = await call('GET', `${PAGE}/list?first=${index}`);
      t.deepEqual([status, JSON.parse(text).error], [500, 'unknown_error'], answer);
      const { fields } = host.log.at(-1) ?? { fields: {} };
      t.regex(JSON.stringify(fields).replaceAll('\\"', '"'), reason, answer);
    }
    t.deepEqual(await ends(), { failed: WRONG.length });
  });
}

test('admin pages of plugins: an error that the page throws is shown as it asks, without an event if nothing changed', async (t) => {
  const { call, ends, changes } = await start(
    t,
    'none',
    `async change({ body }) {
      if (body.kind === 'refuse') throw new HostError('busy', 'Come back later', { status: 409 });
      if (body.kind === 'ask') await session.authenticate();
      if (body.kind === 'crash') throw new Error('a secret of the page');
      if (body.kind === 'half') { await session.store.put('half', 1); throw new HostError('half', 'Half', { status: 409 }); }
      return { done: true };
    },`,
  );
  const put = (kind: string) => call('PUT', `${PAGE}/change`, { kind });
  const refused = await put('refuse');
  t.is(refused.status, 409);
  t.deepEqual(JSON.parse(refused.text), { error: 'busy', error_description: 'Come back later' });
  const asked = await put('ask');
  t.is(asked.status, 502, 'the token was good: nobody is to log in again');
  const crashed = await put('crash');
  t.is(crashed.status, 500);
  t.notRegex(crashed.text, /secret/);
  t.is(await changes(), 0);
  t.is((await put('half')).status, 409);
  t.is(await changes(), 1, 'what was changed is told, whatever was said afterwards');
  t.is((await put('well')).status, 200);
  t.is(await changes(), 2);
  t.deepEqual(await ends(), { refused: 3, failed: 1, ok: 1 });
});

test('admin pages of plugins: a page that takes too long is aborted, and its caller gets an answer', async (t) => {
  const { call, ends } = await start(
    t,
    'worker',
    `async list() {
      await new Promise((resolve) => session.signal.addEventListener('abort', resolve, { once: true }));
      return { rows: [] };
    },`,
    { callTimeout: 0.2 },
  );
  t.is((await call('GET', `${PAGE}/list`)).status, 504);
  t.deepEqual(await ends(), { timeout: 1 });
});
