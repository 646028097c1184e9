import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BootError } from '../../config/boot-error.js';
import { OPTIONS } from '../../config/options/option-table.js';
import { type HostOptions, parseOptions } from '../../config/options/options.js';
import { messageOf } from '../../model/thrown.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The words of a command line, sorted. */
export interface CommandWords {
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** The places of the host: `--providers-dir` and the like. */
  readonly host: HostOptions;
}

/**
 * Reads what stands behind a command: its own options, beside all that the host has.
 * @param own names of options: `name` for a flag, `name=` for one with a value
 * @throws BootError `options_invalid`
 */
export function readWords(argv: readonly string[], own: readonly string[], env: Environment): CommandWords {
  const named = own.map((name) => [name.replace('=', ''), name.endsWith('=')] as const);
  const hosts = OPTIONS.filter(({ environmentOnly }) => !environmentOnly);
  const known = [...named, ...hosts.map(({ flag, value }) => [flag, value !== undefined] as const)];
  const options = Object.fromEntries(
    known.map(([name, valued]) => [name, { type: valued ? ('string' as const) : ('boolean' as const) }]),
  );
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true }) as typeof parsed;
  } catch (cause) {
    const message = messageOf(cause);
    throw new BootError('options_invalid', message.split('.')[0] ?? message, { hint: 'keyhost plugin --help' });
  }
  const given = Object.entries(parsed.values);
  const isOwn = ([name]: [string, unknown]) => named.some(([own]) => own === name);
  const forHost = given
    .filter((entry) => !isOwn(entry))
    .map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
  const host = parseOptions(forHost, env, 'start-dev');
  return {
    words: parsed.positionals,
    flags: new Set(given.filter((entry) => isOwn(entry) && entry[1] === true).map(([name]) => name)),
    values: new Map(
      given.filter((entry) => isOwn(entry) && entry[1] !== true).map(([name, value]) => [name, `${value}`]),
    ),
    host: { ...host, providersDir: resolve(host.providersDir) },
  };
}

/** @throws BootError `options_invalid` */
export function misused(message: string, hint: string): never {
  throw new BootError('options_invalid', message, { hint });
}
