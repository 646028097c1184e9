import test from 'ava';
import type { Command, CommandGroup } from '../../core/commands/command.js';
import { CommandLine } from '../../core/commands/command-line.js';
import { allCommands } from '../../core/commands/commands.js';
import { commandHelp } from '../../core/commands/help.js';
import { hostVersion } from '../../core/config/host-version.js';
import { OPTIONS } from '../../core/config/options/option-table.js';
import { ProcessExit } from '../../core/host/process-exit.js';
import { keyhost } from '../helpers/command.js';

test('command line: the help of each command is about that command, and its examples are accepted', async (t) => {
  for (const [name, command] of await all(allCommands(new ProcessExit()))) {
    const help = commandHelp(name, command);
    t.true(help.startsWith(`Usage: keyhost ${name}`), name);
    t.regex(help, /\n\nExamples:\n( {2}keyhost .*\n){3}/, name);
    t.regex(command.summary, /^[A-Z].*[^.]$/, name);
    for (const example of command.examples) {
      t.true(example.startsWith(name), example);
      const argv = example.split('<')[0]?.trim().split(' ').slice(name.split(' ').length) ?? [];
      t.notThrows(() => new CommandLine(name, command, argv, {}), example);
    }
    for (const flag of command.serverOptions ?? [])
      t.true(
        OPTIONS.some((option) => option.flag === flag),
        flag,
      );
    const described = help.split('\n').filter((line) => /^ {38}\S/.test(line));
    t.deepEqual(
      described.filter((line) => line.length > 100),
      [],
      name,
    );
  }
});

test('command line: --help lists the commands in a line each', async (t) => {
  const { code, stdout } = await keyhost(['--help']);
  t.is(code, 0);
  t.true(stdout.split('\n').length < 25, stdout);
  for (const name of Object.keys(allCommands(new ProcessExit()).commands))
    t.regex(stdout, new RegExp(`^  ${name} +[A-Z]`, 'm'));
  t.is((await keyhost([])).code, 2);
  t.is((await keyhost(['--version'])).stdout, `${hostVersion()}\n`);
  t.is((await keyhost(['help', 'realm'])).stdout, (await keyhost(['realm', '-h'])).stdout);
});

test('command line: a wrong command or option is named, with the nearest that exists', async (t) => {
  for (const [words, expected] of [
    ['relm', /unknown command "relm" \(did you mean "realm"\?\) \[options_invalid]\n {2}→ keyhost --help/],
    ['realm chek', /unknown command "realm chek" \(did you mean "realm check"\?\)/],
    ['nonsense', /unknown command "nonsense" \[options_invalid]\n {2}→ keyhost has the commands init, start-dev, /],
    [
      'realm plan a.json --producton',
      /unknown option --producton \(did you mean "--production"\?\).*\n.*realm plan --help/,
    ],
    ['backup --to a --data-dri=s3cret', /unknown option --data-dri \(did you mean "--data-dir"\?\)/],
    ['init --data-dir a', /unknown option --data-dir \[/],
    ['backup --to', /--to requires a value \(FILE\)/],
    ['backup --to a b', /unexpected argument "b"/],
    ['realm plan a.json --production=yes', /--production has no value/],
    ['backup --to a --master-key s3cret', /--master-key: set KEYHOST_MASTER_KEY or --master-key-file instead/],
  ] as const) {
    const { code, stderr } = await keyhost(words.split(' '));
    t.is(code, 1, words);
    t.regex(stderr, expected, words);
    t.false(stderr.includes('s3cret'), words);
  }
});

async function all({ commands }: CommandGroup, path: readonly string[] = []): Promise<[string, Command][]> {
  const found: [string, Command][] = [];
  for (const [word, load] of Object.entries(commands)) {
    const command = await load();
    if ('commands' in command) found.push(...(await all(command, [...path, word])));
    else found.push([[...path, word].join(' '), command]);
  }
  return found;
}
