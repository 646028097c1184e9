import { didYouMean } from '../config/did-you-mean.js';
import { hostVersion } from '../config/host-version.js';
import type { Command, CommandGroup } from './command.js';
import { CommandLine, type Environment, usageError } from './command-line.js';
import { commandHelp, groupHelp } from './help.js';

/**
 * Runs the command that the first arguments name. Prints its help instead for `--help` and `-h` anywhere after it, and
 * for `help` in front of it. Without a command, prints the help of the group, and for `--version` the version.
 * @returns the command that was run, if any
 * @throws BootError as the command does, and `options_invalid` for an unknown command
 */
export async function runCommand(
  group: CommandGroup,
  argv: readonly string[],
  env: Environment,
  path: readonly string[] = [],
): Promise<Command | undefined> {
  if (path.length === 0 && argv[0] === '--version') {
    process.stdout.write(`${hostVersion()}\n`);
    return undefined;
  }
  const [commandName, ...rest] = argv[0] === 'help' && argv.length > 1 ? [...argv.slice(1), '--help'] : argv;
  if (commandName === undefined || commandName === 'help' || asksForHelp([commandName])) {
    process.stdout.write(await groupHelp(path.join(' '), group));
    process.exitCode = commandName === undefined ? 2 : 0;
    return undefined;
  }
  const load = Object.hasOwn(group.commands, commandName) ? group.commands[commandName] : undefined;
  const name = [...path, commandName].join(' ');
  if (load === undefined) {
    const names = Object.keys(group.commands);
    const suggestion = didYouMean(commandName, names);
    const keyhost = ['keyhost', ...path].join(' ');
    return usageError(
      `unknown command "${name}"${suggestion === undefined ? '' : ` (did you mean "${[...path, suggestion].join(' ')}"?)`}`,
      suggestion === undefined
        ? `${keyhost} has the commands ${names.join(', ')}`
        : `${keyhost} --help lists the commands`,
    );
  }
  const command = await load();
  if ('commands' in command) return runCommand(command, rest, env, [...path, commandName]);
  if (asksForHelp(rest) || (rest.length === 0 && command.needsArguments)) {
    process.stdout.write(commandHelp(name, command));
    process.exitCode = asksForHelp(rest) ? 0 : 2;
    return undefined;
  }
  await command.run(new CommandLine(name, command, rest, env));
  return command;
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}
