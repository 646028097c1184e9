import { BootError } from '../../config/boot-error.js';
import { environmentVariable, OPTIONS } from '../../config/options/option-table.js';
import { parseOptions } from '../../config/options/options.js';
import type { StoreLocation } from '../../store/open-store.js';
import type { CommandLine, Environment } from '../command-line.js';

export type Side = 'from' | 'to';

const DATABASE_OPTIONS = OPTIONS.filter(({ flag }) => flag.startsWith('db-') && flag !== 'db-url');

/** The options for a database, except its address. */
export const DATABASE_FLAGS = DATABASE_OPTIONS.map(({ flag }) => flag);

/** The options for one side: the host's, prefixed with the side's name. */
export const SIDE_OPTIONS = (['from', 'to'] as const).flatMap((side) =>
  DATABASE_OPTIONS.filter(({ environmentOnly }) => !environmentOnly).map((option) => ({
    ...option,
    flag: `${side}-${option.flag}`,
  })),
);

/**
 * Reads the place of a store: a data directory, or the address of a database with the host's database options.
 * `--from-db-username` is for that side, `--db-username` for each database without its own.
 * @throws BootError `options_invalid`
 */
export function copyPlace(side: Side, location: string, line: CommandLine): StoreLocation {
  const own = DATABASE_FLAGS.flatMap((flag) => {
    const value = line.value(`${side}-${flag}`);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  if (!/^(jdbc:)?postgres(ql)?:/.test(location)) {
    // At least two letters: a single one is a Windows drive.
    if (/^[a-z][\w+.-]+:/i.test(location)) {
      line.usageError(`--${side} must be a data directory or the address of a PostgreSQL database`);
    }
    if (own.length === 0) return { postgresql: undefined, dataDir: location };
    line.usageError(`--${side}-${own[0]?.slice(2)} requires a database in --${side}`);
  }
  const argv = ['--db', 'postgres', '--db-url', location, ...line.serverArgv, ...own];
  try {
    const { postgresql } = parseOptions(
      argv,
      sideEnvironment(side, line.env, own.includes('--db-password-file')),
      'start-dev',
    );
    return { postgresql, dataDir: '' };
  } catch (error) {
    throw error instanceof BootError ? inWordsOf(side, error) : error;
  }
}

/**
 * The environment variables of one side: its own database variables, and the host's as a fallback.
 * @param hasFile true if the side has a password file of its own, which has priority over the host's variable
 */
function sideEnvironment(side: Side, env: Environment, hasFile: boolean): Environment {
  const variableOfSide = (flag: string) => env[environmentVariable(`${side}-${flag}`)];
  const isOwn = hasFile || variableOfSide('db-password-file') !== undefined;
  const settingOf = (flag: string) =>
    variableOfSide(flag) ?? (flag === 'db-password' && isOwn ? undefined : env[environmentVariable(flag)]);
  return Object.fromEntries(DATABASE_FLAGS.map((flag) => [environmentVariable(flag), settingOf(flag)]));
}

/** Replaces the name of the address option by that of this command. */
function inWordsOf(side: Side, { code, message, problems, hint, cause }: BootError): BootError {
  const sideProblems = problems.map((problem) =>
    problem.file === '--db-url' ? { ...problem, file: `--${side}` } : problem,
  );
  return new BootError(code, message, {
    problems: sideProblems,
    hint: 'keyhost store copy --help lists the options',
    ...(cause === undefined && hint === undefined ? {} : { cause }),
  });
}
