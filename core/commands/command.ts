import type { OptionDefinition } from '../config/options/option-table.js';
import type { CommandLine } from './command-line.js';

/** One command, described where it is written: its help and its options follow from this. */
export interface Command {
  /** One line of a list of commands, without a full stop. */
  readonly summary: string;
  /** What stands behind its name, such as `FILE [--production]`. */
  readonly usage: string;
  /** What its summary leaves out: lines of at most 100 characters. */
  readonly details?: string;
  /** What stands behind `keyhost `. */
  readonly examples: readonly [string, string, string];
  /** Its own options. They have no environment variable. */
  readonly options?: readonly OptionDefinition[];
  /** Options of the server that it reads, too. */
  readonly serverOptions?: readonly string[];
  /** What its help ends with, such as the meaning of exit codes. */
  readonly notes?: string;
  /** True: without arguments it prints its help and exits with 2. */
  readonly needsArguments?: boolean;
  /** True: the process goes on when `run` has ended. */
  readonly serves?: true;
  /** Prints, and sets the exit code. @throws BootError */
  run(line: CommandLine): Promise<void>;
}

/** Commands of one subject, such as `keyhost realm …`. */
export interface CommandGroup {
  readonly summary: string;
  /** Each is imported when somebody asks for it. */
  readonly commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>;
}

export const EXIT_CODES = 'Exit code: 0 success, 1 failure';

/** Options of the server about its store. */
export const STORE_OPTIONS = [
  ...['data-dir', 'db', 'db-url', 'db-username', 'db-password', 'db-password-file', 'db-schema'],
  ...['db-tls-mode', 'db-tls-trust-store-file'],
];

/** Options of the server about the key that encrypts the keys of realms. */
export const MASTER_KEY_OPTIONS = ['master-key', 'master-key-file'];

/** Options of the server about its plugins. */
export const PLUGIN_OPTIONS = ['providers-dir', 'plugins-file', 'proto-dir'];
