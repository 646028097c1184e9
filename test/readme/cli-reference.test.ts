import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { optionsHelp } from '../../core/config/options/option-table.js';
import { ROOT } from '../helpers/readme-blocks.js';

test('the reference of the command line names every option and every variable of the host', async (t) => {
  const page = await readFile(join(ROOT, 'core/docs/reference/cli.md'), 'utf8');
  const options = [...optionsHelp().matchAll(/^ {2}(--[a-z-]+|[A-Z_]+)/gm)].map(([, name = '']) => name);
  t.true(options.includes('--http-port') && options.includes('KEYHOST_MASTER_KEY'));
  t.deepEqual(
    options.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
  const named = [...page.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/--[a-z-]+/g) ?? []);
  t.deepEqual(
    named.filter((name) => !options.includes(name)),
    [],
    'options that are no more',
  );
});
