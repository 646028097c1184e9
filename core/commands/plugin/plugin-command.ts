import { asksForHelp } from '../command-line.js';
import { type Environment, misused } from './command-words.js';

const HELP = `keyhost plugin: writes, checks and installs plugins

  keyhost plugin new KIND NAME [--dir DIR]           writes a plugin that builds and passes its tests
  keyhost plugin list                                what plugins.json loads, and in which realms
  keyhost plugin verify PATH                         whether this host can load a package
  keyhost plugin add PATH|TARBALL|NAME               puts one into the providers folder and plugins.json
  keyhost plugin remove NAME [--delete]              takes one out
  keyhost plugin enable|disable ID --realm NAME      writes into the realm's file whether it has a provider
  keyhost plugin lock [NAME…]                        writes the integrity of packages into plugins.json
  keyhost plugin status                              what the running host serves
  keyhost plugin reload|rollback [NAME]              replaces plugins of the running host
  keyhost plugin restart NAME                        starts a fresh worker of one

  Each has a --help of its own. The places are those of the host: --providers-dir, --plugins-file, --realms-dir, --proto-dir;
  keyhost --help.
`;

type Run = (argv: readonly string[], env: Environment) => Promise<void>;

interface Command {
  help(): Promise<string>;
  readonly run: Run;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  new: {
    help: async () => (await import('./new-plugin.js')).NEW_HELP(),
    run: async (argv, env) => (await import('./new-plugin.js')).newPluginCommand(argv, env),
  },
  list: {
    help: async () => (await import('./list-plugins.js')).LIST_HELP,
    run: async (argv, env) => (await import('./list-plugins.js')).listCommand(argv, env),
  },
  verify: {
    help: async () => (await import('./verify-plugin.js')).VERIFY_HELP,
    run: async (argv, env) => (await import('./verify-plugin.js')).verifyCommand(argv, env),
  },
  add: {
    help: async () => (await import('./add-plugin.js')).ADD_HELP,
    run: async (argv, env) => (await import('./add-plugin.js')).addCommand(argv, env),
  },
  remove: {
    help: async () => (await import('./remove-plugin.js')).REMOVE_HELP,
    run: async (argv, env) => (await import('./remove-plugin.js')).removeCommand(argv, env),
  },
  lock: {
    help: async () => (await import('./lock-plugins.js')).LOCK_HELP,
    run: async (argv, env) => (await import('./lock-plugins.js')).lockCommand(argv, env),
  },
  enable: switching(true),
  disable: switching(false),
  ...updates('status', 'reload', 'rollback', 'restart'),
};

function switching(enabled: boolean): Command {
  return {
    help: async () => (await import('./enable-plugin.js')).ENABLE_HELP,
    run: async (argv, env) => (await import('./enable-plugin.js')).enableCommand(enabled, argv, env),
  };
}

/** Commands that ask the running host. */
function updates(...names: readonly string[]): Record<string, Command> {
  const command = (name: string): Command => ({
    help: async () => (await import('./plugin-update-command.js')).UPDATE_HELP,
    run: async (argv, env) => (await import('./plugin-update-command.js')).pluginUpdateCommand([name, ...argv], env),
  });
  return Object.fromEntries(names.map((name) => [name, command(name)]));
}

/** `keyhost plugin …`. Sets the exit code. @throws BootError */
export async function pluginCommand(argv: readonly string[], env: Environment): Promise<void> {
  const [word, ...rest] = argv;
  const command = word !== undefined && Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command !== undefined && asksForHelp(rest)) process.stdout.write(await command.help());
  else if (command !== undefined) await command.run(rest, env);
  else if (word === undefined || word === 'help' || asksForHelp([word])) {
    process.stdout.write(HELP);
    process.exitCode = word === undefined ? 2 : 0;
  } else misused(`there is no command "plugin ${word}"`, `it is ${Object.keys(COMMANDS).join(', ')}`);
}
