import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { eventually } from '../helpers/eventually.js';
import { type ReloadScene, reloadScene } from '../helpers/reload.js';

const realmConfigOf = (...required: string[]) => `realmConfig: { type: 'object', additionalProperties: false,
  properties: { ${required.map((name) => `${name}: { type: 'string' }`)} }, required: ${JSON.stringify(required)} },`;
const enabledWith = (config: Record<string, string>) => ({
  providers: { 'realm-restapi-extension': { a: { enabled: true, config } } },
});

/** A plugin whose version 1 requires `url`, and version 2 `team` as well. */
const startWithVersion1 = (t: Parameters<typeof reloadScene>[0], argv: readonly string[] = []) =>
  reloadScene(t, ({ resource }) => ({ a: resource('a', '1', { more: realmConfigOf('url') }) }), {
    realm: enabledWith({ url: 'https://a' }),
    argv: [...argv],
  });
const version2 = ({ resource }: ReloadScene) => resource('a', '2', { more: realmConfigOf('url', 'team') });

async function configure({ host }: ReloadScene, config: Record<string, string>, realm = {}): Promise<void> {
  const file = join(host.dir, 'realms/demo.json');
  const text = JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...enabledWith(config), ...realm });
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

const reportOf = async (attempt: Promise<unknown>) => {
  try {
    await attempt;
  } catch (error) {
    return (error as BootError).report();
  }
  return 'not refused';
};

const CONFIG_OF_VERSION_2 = { url: 'https://a', team: 'red' };

test('new required settings: a version with a new required setting and the realm file that has it take effect together, without a failed call', async (t) => {
  const running = await startWithVersion1(t);
  const { host, get, write } = running;
  await write('a', version2(running), '2.0.0');
  const report = await reportOf(host.plugins.reload());
  t.regex(report, /demo\.json:\d+:\d+ .*"team" is missing/);
  t.regex(report, /change the realm file and reload again: both take effect together/);
  await configure(running, CONFIG_OF_VERSION_2);
  let asks = true;
  const answers = new Set<string>();
  const asking = (async () => {
    while (asks) answers.add((await get('a')).text);
  })();
  t.deepEqual((await host.plugins.reload()).changes, ['a 1.0.0 → 2.0.0']);
  t.is((await get('a')).text, '{"version":"2","url":"https://a","team":"red"}');
  asks = false;
  await asking;
  t.deepEqual(
    [...answers].filter(
      (text) => !['{"version":"1","url":"https://a"}', '{"version":"2","url":"https://a","team":"red"}'].includes(text),
    ),
    [],
  );
  // The older version rejects the new setting, so a rollback needs a realm file without it.
  t.regex(await reportOf(host.plugins.rollback()), /demo\.json:\d+:\d+ .*unknown key/);
  await configure(running, { url: 'https://b' });
  await host.plugins.rollback();
  t.is((await get('a')).text, '{"version":"1","url":"https://b"}');
});

test('new required settings: the realm file may come first; with another mistake in it neither takes effect', async (t) => {
  const running = await startWithVersion1(t);
  const { host, get, write } = running;
  await configure(running, CONFIG_OF_VERSION_2, { enabled: 'yes' });
  await eventually(() => host.log.some(({ fields }) => JSON.stringify(fields ?? {}).includes('demo.json')));
  t.is((await get('a')).text, '{"version":"1","url":"https://a"}');
  await write('a', version2(running), '2.0.0');
  t.regex(await reportOf(host.plugins.reload()), /demo\.json:\d+:\d+ enabled/);
  t.is((await get('a')).text, '{"version":"1","url":"https://a"}');
  await configure(running, CONFIG_OF_VERSION_2, { enabled: true });
  await host.plugins.reload();
  t.is((await get('a')).text, '{"version":"2","url":"https://a","team":"red"}');
});

test('new required settings: where files are followed, whichever comes last takes both in', async (t) => {
  const running = await startWithVersion1(t, ['--watch-plugins', 'true']);
  const { host, get, write } = running;
  await write('a', version2(running), '2.0.0');
  await eventually(() => host.plugins.status().failure?.code === 'realm_invalid');
  await configure(running, CONFIG_OF_VERSION_2);
  await eventually(async () => (await get('a')).text === '{"version":"2","url":"https://a","team":"red"}');
  t.is(host.plugins.status().failure, undefined);
});
