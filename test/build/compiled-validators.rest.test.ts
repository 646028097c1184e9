import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { COMMAND, COMPILED } from '../helpers/process.js';

async function scratch(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-checks-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The compiler's output in a place where it finds no bundle whose checks it could use. */
async function compilersOutput(t: ExecutionContext): Promise<string> {
  const core = dirname(COMPILED);
  const dir = await mkdtemp(join(core, '../alone-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await cp(core, join(dir, 'core'), { recursive: true });
  return join(dir, 'core', basename(COMPILED));
}

/** Mistakes of many kinds, each of which only the check reports. */
const WRONG = {
  realm: 'no/name',
  enabled: 'yes',
  sslRequired: 'sometimes',
  accessTokenLifespan: -1,
  clients: [{ clientID: 'a' }, { clientId: 5, redirectUris: 'https://a.test/' }],
  users: [{ username: '', credentials: [{ type: 'password', value: [] }] }],
  roles: { realm: [{}] },
  groups: [{ name: 'a', subGroups: [{ nome: 'b' }] }],
  components: { 'org.keycloak.keys.KeyProvider': [{ config: { priority: 100 } }] },
  authenticatorConfig: [{ alias: 'a', config: { credentials: 5 } }],
  unheardOf: {},
};

test('compiled validators: they report the same problems as validators that are compiled on use', async (t) => {
  const dir = await scratch(t);
  const file = join(dir, 'wrong.json');
  await writeFile(file, JSON.stringify(WRONG, null, 2));
  const plugins = join(dir, 'plugins.json');
  const withoutBundle = await compilersOutput(t);
  for (const [words, text] of [
    [['realm', 'check', file], '{ "plugins": [] }'],
    [['realm', 'check', file], '{ "plugins": [{ "modul": "a" }, { "module": 5, "isolation": "some" }], "other": 1 }'],
  ] as const) {
    await writeFile(plugins, text);
    const [bundled, compiled] = await Promise.all(
      [COMMAND, withoutBundle].map((program) => ran(process.execPath, [program, ...words, '--plugins-file', plugins])),
    );
    t.is(compiled?.code, 1);
    t.true((compiled?.stderr.length ?? 0) + (compiled?.stdout.length ?? 0) > 100);
    t.deepEqual(bundled, compiled);
  }
});
