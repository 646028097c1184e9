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
  /** Arguments after `keyhost `. */
  readonly examples: readonly [string, string, string];
  /** Its own options, which have no environment variable. */
  readonly options?: readonly OptionDefinition[];
  /** The options of the server that it also reads. */
  readonly serverOptions?: readonly string[];
  /** The last part of its help, such as the meaning of exit codes. */
  readonly notes?: string;
  /** True if it prints its help and exits with 2 when called without arguments. */
  readonly needsArguments?: boolean;
  /** True if the process continues after `run`. */
  readonly serves?: true;
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
