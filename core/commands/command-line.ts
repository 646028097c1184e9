import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import { secretOptionHint } from '../config/options/option-reader.js';
import { OPTIONS, type OptionDefinition } from '../config/options/option-table.js';
import { type HostOptions, type Mode, parseOptions } from '../config/options/options.js';
import type { Command } from './command.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The arguments after a command's name: its words, its options, and the options of the server. */
export class CommandLine {
  readonly words: readonly string[];
  readonly env: Environment;
  /** The server's options, unparsed. */
  readonly serverArgv: readonly string[];
  readonly #command: string;
  readonly #values: ReadonlyMap<string, string>;

  /**
   * @param command the command's name, such as `realm plan`
   * @throws BootError `options_invalid` for an unknown option, or one without its value
   */
  constructor(
    command: string,
    { options = [], serverOptions, startsServer }: Command,
    argv: readonly string[],
    env: Environment,
  ) {
    this.env = env;
    this.#command = command;
    const [words, serverArgv, values]: [string[], string[], Map<string, string>] = [[], [], new Map()];
    [this.words, this.serverArgv, this.#values] = [words, serverArgv, values];
    if (startsServer) {
      // The command has only options of the server, and `parseOptions` reports all mistakes at once.
      serverArgv.push(...argv);
      return;
    }
    const knownServerOptions = serverOptions === undefined ? [] : OPTIONS;
    const remaining = [...argv];
    for (let argument = remaining.shift(); argument !== undefined; argument = remaining.shift()) {
      if (!argument.startsWith('-') || argument === '-') {
        words.push(argument);
        continue;
      }
      const [name = '', inlineValue] = splitOption(argument);
      const commandOption = options.find(({ flag }) => `--${flag}` === name);
      const option = commandOption ?? knownServerOptions.find(({ flag }) => `--${flag}` === name);
      if (option === undefined) this.#rejectUnknown(name, [...options, ...knownServerOptions]);
      if (option.environmentOnly) this.usageError(`${name}: ${secretOptionHint(option)}`);
      const usesNextArgument =
        option.value !== undefined && inlineValue === undefined && remaining[0]?.startsWith('--') === false;
      const value = usesNextArgument ? remaining.shift() : inlineValue;
      if (commandOption === undefined)
        serverArgv.push(argument, ...(usesNextArgument && value !== undefined ? [value] : []));
      else if (commandOption.value === undefined && inlineValue !== undefined) this.usageError(`${name} has no value`);
      else if (commandOption.value !== undefined && !value)
        this.usageError(`${name} requires a value (${commandOption.value})`);
      else values.set(commandOption.flag, value ?? '');
    }
  }

  /** True if one of the command's options is set, with or without a value. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The value of one of the command's options. */
  value(flag: string): string | undefined {
    return this.#values.get(flag);
  }

  /** @throws BootError `options_invalid` without it */
  required(flag: string): string {
    return this.value(flag) ?? this.usageError(`--${flag} is required`);
  }

  /**
   * The value of the environment variable that an option names, such as `--password:env VARIABLE`; undefined without
   * the option. Secrets are in variables, since other users can read command lines.
   * @throws BootError `options_invalid` if the variable is not set
   */
  fromEnvironment(flag: string): string | undefined {
    const name = this.value(flag);
    if (name === undefined) return undefined;
    return this.env[name] || this.usageError(`--${flag}: the environment variable ${name} is not set`);
  }

  /** Parses the options of the server. @throws BootError `options_invalid` with every problem */
  server(mode: Mode = 'start-dev'): HostOptions {
    return parseOptions(this.serverArgv, this.env, mode);
  }

  /**
   * The only word.
   * @param name the word's name in the usage text
   * @throws BootError `options_invalid` unless there is exactly one word
   */
  word(name: string): string {
    const [word, another] = this.words;
    if (word === undefined) return this.usageError(`${name} is required`);
    if (another !== undefined) this.#rejectWord(another);
    return word;
  }

  /** @throws BootError `options_invalid` if there are more words */
  requireAtMostWords(count: number): void {
    const another = this.words[count];
    if (another !== undefined) this.#rejectWord(another);
  }

  /** @throws BootError `options_invalid` */
  usageError(message: string, hint = `keyhost ${this.#command} --help explains the command`): never {
    return usageError(message, hint);
  }

  #rejectWord(word: string): never {
    this.usageError(`unexpected argument "${word}"`);
  }

  /** Reports an unknown option by its name alone, since its value may be a secret. */
  #rejectUnknown(name: string, knownOptions: readonly OptionDefinition[]): never {
    const near = nearOption(
      name,
      knownOptions.filter(({ environmentOnly }) => !environmentOnly).map(({ flag }) => `--${flag}`),
    );
    const suggestion = near === undefined ? '' : ` (did you mean "${near}"?)`;
    this.usageError(`unknown option ${name}${suggestion}`, `keyhost ${this.#command} --help lists the options`);
  }
}

/**
 * Finds the option that was probably meant: `--password:env` for `--password`, `--grant` for `--grant-type`, or one
 * with a similar name.
 */
function nearOption(name: string, knownNames: readonly string[]): string | undefined {
  return (
    knownNames.find((one) => one.startsWith(`${name}:`)) ??
    didYouMean(name, knownNames) ??
    knownNames.find((one) => name.startsWith(`${one}-`))
  );
}

/** Splits `--name=value` into name and value. */
function splitOption(word: string): [name: string, value: string | undefined] {
  const equalsIndex = word.indexOf('=');
  return equalsIndex < 0 ? [word, undefined] : [word.slice(0, equalsIndex), word.slice(equalsIndex + 1)];
}

/** @throws BootError `options_invalid` */
export function usageError(message: string, hint: string): never {
  throw new BootError('options_invalid', message, { hint });
}
