import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { ran } from '../helpers/command.js';
import { guideEdits } from '../helpers/guide-edits.js';
import { ROOT } from '../helpers/readme-blocks.js';

test('guide, pages: the page of the guide builds, passes its test and keeps the rules of its SPI', async (t) => {
  const dir = await mkdtemp(join(ROOT, 'dist', 'guide-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const edits = guideEdits(await readFile(join(ROOT, 'core/spi/guide/admin-pages.md'), 'utf8'));
  t.deepEqual(
    edits.map(({ file }) => file),
    ['index.ts', 'index.test.ts'],
  );
  for (const edit of edits) if ('text' in edit) await writeFile(join(dir, edit.file), edit.text);
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'acme-sms', version: '1.0.0', type: 'module' }));
  await writeFile(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: '@keyhost/spi/tsconfig.json', include: ['*.ts'] }),
  );
  await mkdir(join(dir, 'node_modules/@keyhost'), { recursive: true });
  await symlink(join(ROOT, 'core/spi'), join(dir, 'node_modules/@keyhost/spi'));
  const built = await ran(join(ROOT, 'node_modules/.bin/tsc'), ['-p', dir], { cwd: dir });
  t.is(built.code, 0, built.stdout);
  const tested = await ran(process.execPath, ['--test', 'dist/index.test.js'], { cwd: dir });
  t.is(tested.code, 0, tested.stdout);
  t.regex(tested.stdout, /# fail 0/);
});
