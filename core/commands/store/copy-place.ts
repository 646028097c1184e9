import { BootError } from '../../config/boot-error.js';
import { OPTIONS, variable } from '../../config/options/option-table.js';
import { parseOptions } from '../../config/options/options.js';
import type { StorePlace } from '../../store/open-store.js';
import { take } from '../command-line.js';

type Environment = Readonly<Record<string, string | undefined>>;
export type Side = 'from' | 'to';

/** What a database may be reached by, beside its address. */
const OF_DATABASES = OPTIONS.filter(({ flag }) => flag.startsWith('db-') && flag !== 'db-url');

/** The options of one side: those of the host, with its name in front. */
export const SIDE_OPTIONS = (['from', 'to'] as const).flatMap((side) =>
  OF_DATABASES.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => `--${side}-${flag}`),
);

/** What one side is given: `--from-db-username` is for that side, `--db-username` for each database that has none of its own. */
export interface Given {
  readonly words: string[];
  /** Those of both sides, as `--db-username NAME`. */
  readonly shared: readonly string[];
  readonly env: Environment;
}

/**
 * Reads where a store is: a data directory, or the address of a database with the options that the host has for one.
 * @throws BootError `options_invalid`
 */
export function copyPlace(side: Side, place: string, { words, shared, env }: Given): StorePlace {
  const own = OF_DATABASES.flatMap(({ flag, environmentOnly }) => {
    const value = environmentOnly ? undefined : take(words, `--${side}-${flag}`);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  if (!/^(jdbc:)?postgres(ql)?:/.test(place)) {
    // Two letters at least: one is a drive.
    if (/^[a-z][\w+.-]+:/i.test(place)) {
      throw new BootError(
        'options_invalid',
        `--${side} is neither a data directory nor the address of a PostgreSQL database`,
        {
          hint: 'keyhost store copy --help',
        },
      );
    }
    if (own.length === 0) return { postgresql: undefined, dataDir: place };
    throw new BootError('options_invalid', `--${side}-${own[0]?.slice(2)} needs a database in --${side}`, {
      hint: 'keyhost store copy --help',
    });
  }
  const argv = ['--db', 'postgres', '--db-url', place, ...shared, ...own];
  try {
    const { postgresql } = parseOptions(argv, ofSide(side, env, own.includes('--db-password-file')), 'start-dev');
    return { postgresql, dataDir: '' };
  } catch (error) {
    throw error instanceof BootError ? inWordsOf(side, error) : error;
  }
}

/**
 * The variables of one side: of those about databases its own, and behind them the host's.
 * @param hasFile it has a file of its own with its password, which comes before the host's variable
 */
function ofSide(side: Side, env: Environment, hasFile: boolean): Environment {
  const own = (flag: string) => env[variable(`${side}-${flag}`)];
  const isOwn = hasFile || own('db-password-file') !== undefined;
  const named = (flag: string) => own(flag) ?? (flag === 'db-password' && isOwn ? undefined : env[variable(flag)]);
  return Object.fromEntries(OF_DATABASES.map(({ flag }) => [variable(flag), named(flag)]));
}

/** The address is that of an option of this command. */
function inWordsOf(side: Side, { code, message, problems, hint, cause }: BootError): BootError {
  const told = problems.map((problem) => (problem.file === '--db-url' ? { ...problem, file: `--${side}` } : problem));
  return new BootError(code, message, {
    problems: told,
    hint: 'keyhost store copy --help lists them',
    ...(cause === undefined && hint === undefined ? {} : { cause }),
  });
}
