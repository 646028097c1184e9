import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { keyhost } from '../helpers/command.js';
import { providersFolder } from '../helpers/plugins.js';
import { folder } from '../helpers/process.js';

/** The messages for an `x` that does not match, by the schema's keywords next to its pattern. */
const CASES: readonly (readonly [said: object, message: string])[] = [
  [{}, 'must match ^P'],
  [{ description: 'duration' }, 'must match ^P'],
  [{ description: 'How long it lasts, such as PT5M.' }, 'must match ^P (How long it lasts, such as PT5M)'],
  [{ description: 'How long it lasts.', examples: ['PT5M', 'P90D'] }, 'must look like PT5M or P90D'],
  [{ examples: ['PT5M'], patternErrorMessage: 'must be a duration' }, 'must be a duration'],
];

test('validation messages: a violated pattern is explained by the description of its schema', async (t) => {
  const properties = Object.fromEntries(
    CASES.map(([said], index) => [`setting${index}`, { type: 'string', pattern: '^P', ...said }]),
  );
  const plugin = `import { Authenticator, provide } from '@keyhost/spi';
export default { name: 'lasting', api: 1, providers: [provide(Authenticator, { id: 'lasting',
  settings: { type: 'object', properties: ${JSON.stringify(properties)} },
  open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }) })] };`;
  const step = { authenticator: 'lasting', requirement: 'REQUIRED', authenticatorConfig: 'c' };
  const realm = {
    realm: 'r',
    authenticationFlows: [{ alias: 'own', topLevel: true, authenticationExecutions: [step] }],
    authenticatorConfig: [
      { alias: 'c', config: Object.fromEntries(Object.keys(properties).map((name) => [name, 'x'])) },
    ],
  };
  const dir = await folder(t);
  await writeFile(join(dir, 'realm.json'), JSON.stringify(realm));
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [{ "module": "lasting" }] }');
  const providers = await providersFolder(t, { lasting: plugin });
  const { stdout, stderr } = await keyhost(['realm', 'check', 'realm.json', '--providers-dir', providers], {
    cwd: dir,
  });
  const told = stdout.trimEnd().split('\n');
  t.deepEqual(
    told.map((line) => line.replace(/^.*config\.setting\d: /, '')),
    CASES.map(([, message]) => message),
    stderr,
  );
});
