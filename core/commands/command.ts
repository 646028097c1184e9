import type { OptionDefinition } from '../config/options/option-table.js';
import type { CommandLine } from './command-line.js';

/** A command with its description, from which help and option parsing are derived. */
export interface Command {
  /** One line of a list of commands, without a full stop. */
  readonly summary: string;
  /** The arguments after its name, such as `FILE [--production]`. */
  readonly usage: string;
  /** Details in addition to the summary: lines of at most 100 characters. */
  readonly details?: string;
  /** Examples, without `keyhost` at their beginning. */
  readonly examples: readonly [string, string, string];
  /** The command's options, which have no environment variables. */
  readonly options?: readonly OptionDefinition[];
  /** The options of the server that it also reads. */
  readonly serverOptions?: readonly string[];
  /** The last part of the help, such as the meaning of exit codes. */
  readonly notes?: string;
  /** True if the command without arguments prints its help and exits with 2. */
  readonly needsArguments?: boolean;
  /** True if the command starts the server, so that the process continues after `run`. */
  readonly startsServer?: true;
  /** Prints its output, and sets the exit code. @throws BootError */
  run(line: CommandLine): Promise<void>;
}

/** The commands of one subject, such as `keyhost realm …`. */
export interface CommandGroup {
  readonly summary: string;
  /** Functions that import a command on demand. */
  readonly commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>;
}

export const EXIT_CODES = 'Exit code: 0 success, 1 failure';

/** The server's options for its store. */
export const STORE_OPTIONS = [
  'data-dir',
  'db',
  'db-url',
  'db-username',
  'db-password',
  'db-password-file',
  'db-schema',
  'db-tls-mode',
  'db-tls-trust-store-file',
];

/** The server's options for the key that encrypts the keys of realms. */
export const MASTER_KEY_OPTIONS = ['master-key', 'master-key-file'];

/** The server's options for its plugins. */
export const PLUGIN_OPTIONS = ['providers-dir', 'plugins-file', 'proto-dir'];
