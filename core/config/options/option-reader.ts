import { defined } from '../../model/defined.js';
import { BootError } from '../boot-error.js';
import { didYouMean } from '../did-you-mean.js';
import type { Problem } from '../problem.js';
import { readDuration } from './duration.js';
import { environmentVariable, OPTIONS, type OptionDefinition } from './option-table.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The maximum duration of an option, in milliseconds. */
const MAX_DURATION_MS = 3_600_000;

/** Reads the options of a command line and the environment one by one, and reports all mistakes together. */
export class OptionReader {
  readonly #flags: ReadonlyMap<string, string>;
  readonly #env: Environment;
  readonly #problems: Problem[] = [];

  constructor(argv: readonly string[], env: Environment) {
    this.#flags = readFlags(argv, this.#problems);
    this.#env = env;
    checkVariables(env, this.#problems);
  }

  /** The name by which the option was set: its flag, or its environment variable. */
  readonly origin = (flag: string): string => (this.#flags.has(flag) ? `--${flag}` : environmentVariable(flag));

  readonly complain = (flag: string, message: string): void => {
    this.#problems.push({ file: this.origin(flag), line: 0, column: 0, path: '', message });
  };

  /** Returns `complain` for one option. */
  readonly complaintAbout =
    (flag: string) =>
    (message: string): void =>
      this.complain(flag, message);

  /**
   * The value of an option, or its default if the value is missing or empty. The command line has priority over the
   * environment.
   */
  readonly text = (flag: string): string | undefined => {
    const definition = OPTIONS.find((candidate) => candidate.flag === flag);
    const value = this.#flags.get(flag) ?? this.#env[environmentVariable(flag)];
    return value === undefined || value === '' ? definition?.default : value;
  };

  /** True if the command line or the environment sets the option. */
  readonly isSet = (flag: string): boolean => {
    const value = this.#flags.get(flag) ?? this.#env[environmentVariable(flag)];
    return value !== undefined && value !== '';
  };

  readonly port = (flag: string): number | undefined => {
    const value = this.text(flag);
    if (value === undefined) return undefined;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
    this.complain(flag, `must be a port from 0 to 65535, not "${value}"`);
    return undefined;
  };

  readonly count = (flag: string, minimum: number): number => {
    const value = this.text(flag) ?? '';
    if (/^\d{1,9}$/.test(value) && Number(value) >= minimum) return Number(value);
    this.complain(flag, `must be a whole number of at least ${minimum}, not "${value}"`);
    return minimum;
  };

  /** The value in milliseconds. */
  readonly duration = (flag: string): number => {
    const value = this.text(flag) ?? '';
    const duration = readDuration(value);
    if (duration !== undefined && duration <= MAX_DURATION_MS) return duration;
    this.complain(flag, `must be a duration of at most an hour, such as 5s, 500ms or PT5S, not "${value}"`);
    return 0;
  };

  readonly oneOf = (flag: string, allowed: readonly string[]): string | undefined => {
    const value = this.text(flag);
    if (value !== undefined && !allowed.includes(value))
      this.complain(flag, `must be one of ${allowed.join(', ')}, not "${value}"`);
    return value;
  };

  readonly boolean = (flag: string): boolean => {
    const value = this.text(flag) ?? 'false';
    if (value !== 'true' && value !== 'false') this.complain(flag, `must be true or false, not "${value}"`);
    return value === 'true';
  };

  /** @throws BootError `options_invalid` with every problem at once */
  throwIfInvalid(): void {
    if (this.#problems.length === 0) return;
    throw new BootError('options_invalid', 'invalid options', {
      problems: this.#problems,
      hint: 'keyhost start --help lists the options',
    });
  }
}

/** The advice for a secret on the command line. */
export function secretOptionHint({ flag }: OptionDefinition): string {
  return `set ${environmentVariable(flag)} or --${flag}-file instead: other users of the machine can read command lines`;
}

function readFlags(argv: readonly string[], problems: Problem[]): Map<string, string> {
  const flags = new Map<string, string>();
  const knownFlags = OPTIONS.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => flag);
  for (let i = 0; i < argv.length; i += 1) {
    const argument = argv[i] ?? '';
    const [, name, inlineValue] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const definition = name === undefined ? undefined : OPTIONS.find(({ flag }) => flag === name);
    if (name === undefined || definition === undefined || definition.environmentOnly) {
      // Suggest `--http-port` for `--port`.
      const near = name && (didYouMean(name, knownFlags) ?? knownFlags.find((flag) => flag.endsWith(`-${name}`)));
      const message = definition?.environmentOnly
        ? secretOptionHint(definition)
        : argument.startsWith('-')
          ? 'unknown option'
          : 'unexpected argument';
      const suggestion = near ? `--${near}` : undefined;
      // The next word may be the secret value of this option, so it is neither repeated in a message nor read as an
      // argument.
      const shownArgument = name === undefined ? argument : `--${name}`;
      problems.push(defined({ file: shownArgument, line: 0, column: 0, path: '', message, suggestion }));
      if (name !== undefined && inlineValue === undefined && argv[i + 1]?.startsWith('--') === false) i += 1;
      continue;
    }
    if (inlineValue !== undefined) flags.set(name, inlineValue);
    else if (definition.value === undefined) flags.set(name, 'true');
    else {
      const next = argv[i + 1];
      if (next === undefined || next.startsWith('--')) {
        problems.push({
          file: argument,
          line: 0,
          column: 0,
          path: '',
          message: `requires a value (${definition.value})`,
        });
      } else {
        flags.set(name, next);
        i += 1;
      }
    }
  }
  return flags;
}

/**
 * Reports a variable that resembles a known one. Other variables with the prefix `KEYHOST_` may belong to the container
 * platform.
 */
function checkVariables(env: Environment, problems: Problem[]): void {
  const knownVariables = OPTIONS.map(({ flag }) => environmentVariable(flag));
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KEYHOST_') || knownVariables.includes(name)) continue;
    const suggestion = didYouMean(name, knownVariables, 2);
    if (suggestion === undefined) continue;
    problems.push({ file: name, line: 0, column: 0, path: '', message: 'unknown variable', suggestion });
  }
}
