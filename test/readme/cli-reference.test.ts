import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { CommandGroup } from '../../core/commands/command.js';
import { allCommands } from '../../core/commands/commands.js';
import { environmentVariable, OPTIONS } from '../../core/config/options/option-table.js';
import { ProcessExit } from '../../core/host/process-exit.js';
import { ROOT } from '../helpers/readme-blocks.js';

const page = readFileSync(join(ROOT, 'core/docs/reference/cli.md'), 'utf8');

test('CLI reference: the reference of the command line names every option and every variable of the server', (t) => {
  const options = OPTIONS.map(({ flag, environmentOnly }) =>
    environmentOnly ? environmentVariable(flag) : `--${flag}`,
  );
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

test('CLI reference: the reference of the command line has every command, and no other', async (t) => {
  const table = page.slice(page.indexOf('| command |'), page.indexOf('## Start'));
  const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/`[^`]+`/g) ?? []);
  const named = cells.flatMap((cell) => {
    const [first = '', second = ''] = cell.replaceAll('`', '').replaceAll('\\|', '|').split(' ');
    return /^[a-z][a-z|-]*$/.test(second) && first !== 'schema'
      ? second.split('|').map((one) => `${first} ${one}`)
      : [first];
  });
  t.deepEqual([...new Set(named)].sort(), (await namesOf(allCommands(new ProcessExit()))).sort());
});

async function namesOf({ commands }: CommandGroup): Promise<string[]> {
  const names: string[] = [];
  for (const [name, load] of Object.entries(commands)) {
    const command = await load();
    names.push(...('commands' in command ? (await namesOf(command)).map((inner) => `${name} ${inner}`) : [name]));
  }
  return names;
}
