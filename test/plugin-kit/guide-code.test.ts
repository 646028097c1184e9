import { readdirSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import test from 'ava';
import { ran } from '../helpers/command.js';
import { asModule, guideCode } from '../helpers/guide-code.js';
import { ROOT } from '../helpers/readme-blocks.js';

/** Names that the guide uses and does not define, since they are self-explanatory. */
const OF_READERS = [
  'SETTINGS',
  'anyNumber',
  'askForName',
  'askPhone',
  'began',
  'code',
  'derive',
  'device',
  'hashed',
  'id',
  'isApproved',
  'isConfirmed',
  'isHash',
  'keys',
  'look',
  'message',
  'page',
  'plugin',
  'send',
  't',
  'url',
  'user',
  'userId',
  'waitingPage',
];

/** The compiler's three messages for an undeclared name. */
const UNDECLARED = /^(Cannot find name|No value exists in scope for the shorthand property) '(\w+)'/;

test('guide, code: every example of the guide compiles as a plugin of its reader does', async (t) => {
  const dir = await mkdtemp(join(ROOT, 'dist', 'guide-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const blocks = await guideCode();
  t.true(blocks.length > 40);
  const places = new Map<string, { page: string; first: number }>();
  for (const block of blocks) {
    const { text, before } = asModule(block);
    const named = /^\/\/ (\w[\w.]*\.ts)$/m.exec(block.code.split('\n')[0] ?? '')?.[1];
    const own = block.code.includes('export const Channel') ? 'channel.ts' : named;
    const file = join(basename(block.page, '.md'), own ?? `line-${block.line}.ts`);
    places.set(file, { page: block.page, first: block.line - before - 1 });
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  // The test of the page is of the plugin that the README begins with.
  await copyFile(join(dir, 'README', readdirSync(join(dir, 'README'))[0] ?? ''), join(dir, 'testing/index.ts'));
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'guide', type: 'module' }));
  const compilerOptions = { noEmit: true, verbatimModuleSyntax: false };
  const extending = { extends: '@keyhost/spi/tsconfig.json', compilerOptions, include: ['**/*.ts'] };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(extending));
  await mkdir(join(dir, 'node_modules/@keyhost'), { recursive: true });
  await symlink(join(ROOT, 'core/spi'), join(dir, 'node_modules/@keyhost/spi'));
  const { stdout } = await ran(join(ROOT, 'node_modules/.bin/tsc'), ['-p', dir], { cwd: dir });
  const unknown = new Set<string>();
  const mistakes: string[] = [];
  for (const [, file = '', line = '', code, message = ''] of stdout.matchAll(
    /^(\S+?)\((\d+),\d+\): error TS(\d+): (.*)$/gm,
  )) {
    const name = UNDECLARED.exec(message)?.[2];
    const { page = file, first = 0 } = places.get(file) ?? {};
    if (name !== undefined) unknown.add(name);
    else mistakes.push(`${page}:${first + Number(line)} TS${code} ${message}`);
  }
  t.deepEqual(mistakes, []);
  t.deepEqual([...unknown].sort(), OF_READERS);
});
