import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  Authenticator,
  type Plugin,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type Spi,
  type StepPage,
} from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import test from 'ava';
import { ran } from '../helpers/command.js';
import { ROOT } from '../helpers/readme-blocks.js';

const FOLDER = join(ROOT, 'core/spi/spis');
const MOST_LINES = 20;

/** The `@example` of each SPI constant, by the constant's name; undefined if it has none. */
const EXAMPLES: ReadonlyMap<string, string | undefined> = new Map(
  readdirSync(FOLDER).flatMap((file) => {
    const source = file.endsWith('.ts') ? readFileSync(join(FOLDER, file), 'utf8') : '';
    const declared = /^export const (\w+) = spi[<(]/m.exec(source);
    if (declared === null) return [];
    const comment = source.slice(source.lastIndexOf('/**', declared.index), declared.index);
    const fence = /^ \* @example\n \* ```ts\n([\s\S]*?)^ \* ```\n \*\/\n$/m.exec(comment)?.[1];
    return [[declared[1] ?? '', fence?.replace(/^ \* ?/gm, '')] as const];
  }),
);

const PROTO = `syntax = "proto3";
package example;
message Name { string name = 1; }
message Text { string text = 1; }
service Greeter { rpc Greet(Name) returns (Text); }
`;

const asks: StepPage = {
  page: 'form',
  title: { key: 'Word' },
  submit: { key: 'Continue' },
  fields: [{ name: 'word', type: 'text', label: { key: 'Word' } }],
};

/** The action and the step that a type of credentials needs to be called. */
const OF_CREDENTIAL: readonly ProviderDefinition[] = [
  provide(RequiredAction, {
    id: 'set-security-word',
    displayText: 'Set a word',
    open: () => ({
      create: ({ ownCredentials }) => ({
        challenge: async () => ({ outcome: 'challenge', page: asks }),
        async action(_, { word = '' }) {
          if (word === '') return { outcome: 'challenge', page: asks };
          await ownCredentials.create('security-word', word);
          return { outcome: 'success' };
        },
      }),
    }),
  }),
  provide(Authenticator, {
    id: 'ask-security-word',
    describe: { displayName: 'Word' },
    open: () => ({
      create: ({ ownCredentials }) => ({
        async authenticate({ user, form }) {
          const isSetUp = user !== undefined && (await ownCredentials.list('security-word')).length > 0;
          return isSetUp && form === undefined ? { outcome: 'challenge', page: asks } : { outcome: 'success' };
        },
        async action(_, { word = '' }) {
          if (word === '') return { outcome: 'challenge', page: asks };
          await ownCredentials.verify('security-word', word);
          return { outcome: 'success' };
        },
      }),
    }),
  }),
];

// The kit's realms refer to this secret, and the example reads the environment.
process.env.SECRET_conformance = 'x';

let dir = '';

test.before('examples of the SPI: all examples compile as plugins do', async (t) => {
  dir = await mkdtemp(join(ROOT, 'dist', 'spi-examples-'));
  for (const [name, code] of EXAMPLES) if (code !== undefined) await writeFile(join(dir, `${name}.ts`), code);
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'spi-examples', type: 'module' }));
  const compilerOptions = { outDir: 'out', rootDir: '.', noEmitOnError: false };
  const extending = { extends: '@keyhost/spi/tsconfig.json', compilerOptions, include: ['*.ts'] };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(extending));
  await mkdir(join(dir, 'node_modules/@keyhost'), { recursive: true });
  await symlink(join(ROOT, 'core/spi'), join(dir, 'node_modules/@keyhost/spi'));
  await mkdir(join(dir, 'proto'));
  await writeFile(join(dir, 'proto/greeter.proto'), PROTO);
  const { stdout } = await ran(join(ROOT, 'node_modules/.bin/tsc'), ['-p', dir], { cwd: dir });
  t.is(stdout, '');
});

test.after.always(() => rm(dir, { recursive: true, force: true }));

test('examples of the SPI: every SPI has an example, and the examples are short', async (t) => {
  const spis = Object.entries(await import('@keyhost/spi')).filter(
    ([name, value]) => (value as Partial<Spi> | undefined)?.name === name && EXAMPLES.has(name),
  );
  t.is(spis.length, EXAMPLES.size);
  t.true(EXAMPLES.size >= 25);
  t.deepEqual(
    [...EXAMPLES].filter(([, code]) => code === undefined || code.trimEnd().split('\n').length > MOST_LINES),
    [],
  );
  t.deepEqual(
    [...EXAMPLES].filter(
      ([, code = '']) => [...code.matchAll(/ from '(.*)'/g)].join() !== " from '@keyhost/spi',@keyhost/spi",
    ),
    [],
  );
});

for (const name of EXAMPLES.keys()) {
  test(`examples of the SPI: ${name}: its example conforms to the contract`, async (t) => {
    const file = join(dir, 'out', `${name}.js`);
    if (!existsSync(file)) return t.fail(`core/spi/spis: ${name} has no @example that compiles`);
    const { default: provider } = (await import(pathToFileURL(file).href)) as { default: ProviderDefinition };
    t.is(provider.spi.name, name);
    const providers = [provider, ...(name === 'CredentialProvider' ? OF_CREDENTIAL : [])];
    const plugin: Plugin = { name: 'example', api: 1, providers };
    t.true((await conforms(t, provider.spi, plugin, { directory: dir })).length > 0);
  });
}
