import { BootError } from '../../config/boot-error.js';
import { environmentVariable, OPTIONS } from '../../config/options/option-table.js';
import { parseOptions } from '../../config/options/options.js';
import type { StoreLocation } from '../../store/open-store.js';
import type { CommandLine, Environment } from '../command-line.js';

export type Side = 'from' | 'to';

const DATABASE_OPTIONS = OPTIONS.filter(({ flag }) => flag.startsWith('db-') && flag !== 'db-url');

/** The options for a database, except its address. */
export const DATABASE_FLAGS = DATABASE_OPTIONS.map(({ flag }) => flag);

/** The database options for one side, prefixed with the side's name. They take no secrets. */
export const SIDE_OPTIONS = (['from', 'to'] as const).flatMap((side) =>
  DATABASE_OPTIONS.filter(({ environmentOnly }) => !environmentOnly).map((option) => ({
    ...option,
    flag: `${side}-${option.flag}`,
  })),
);

/**
 * Reads the place of a store: a data directory, or the address of a database and its options. An option such as
 * `--from-db-username` is for one side, and `--db-username` for a side without this option.
 * @throws BootError `options_invalid`
 */
export function readCopyPlace(side: Side, location: string, line: CommandLine): StoreLocation {
  const sideArguments = DATABASE_FLAGS.flatMap((flag) => {
    const value = line.value(`${side}-${flag}`);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  if (!/^(jdbc:)?postgres(ql)?:/.test(location)) {
    // The scheme of a URL has at least two letters. A single letter is a Windows drive.
    if (/^[a-z][\w+.-]+:/i.test(location)) {
      line.usageError(`--${side} must be a data directory or the address of a PostgreSQL database`);
    }
    if (sideArguments.length === 0) return { postgresql: undefined, dataDir: location };
    line.usageError(`--${side}-${sideArguments[0]?.slice(2)} requires a database in --${side}`);
  }
  const argv = ['--db', 'postgres', '--db-url', location, ...line.serverArgv, ...sideArguments];
  try {
    const { postgresql } = parseOptions(
      argv,
      sideEnvironment(side, line.env, sideArguments.includes('--db-password-file')),
      'start-dev',
    );
    return { postgresql, dataDir: '' };
  } catch (error) {
    throw error instanceof BootError ? withSideOption(side, error) : error;
  }
}

/**
 * The database variables for one side: the side's own ones, and otherwise the host's.
 * @param hasFile true if the side's password file is an option, which has priority over the host's variable
 */
function sideEnvironment(side: Side, env: Environment, hasFile: boolean): Environment {
  const variableOfSide = (flag: string) => env[environmentVariable(`${side}-${flag}`)];
  const hasOwnFile = hasFile || variableOfSide('db-password-file') !== undefined;
  const settingOf = (flag: string) =>
    variableOfSide(flag) ?? (flag === 'db-password' && hasOwnFile ? undefined : env[environmentVariable(flag)]);
  return Object.fromEntries(DATABASE_FLAGS.map((flag) => [environmentVariable(flag), settingOf(flag)]));
}

/** Replaces `--db-url` in the problems by the option of this command, `--from` or `--to`. */
function withSideOption(side: Side, { code, message, problems, hint, cause }: BootError): BootError {
  const sideProblems = problems.map((problem) =>
    problem.file === '--db-url' ? { ...problem, file: `--${side}` } : problem,
  );
  return new BootError(code, message, {
    problems: sideProblems,
    hint: 'keyhost store copy --help lists the options',
    ...(cause === undefined && hint === undefined ? {} : { cause }),
  });
}
