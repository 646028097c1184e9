import { createInterface, type Interface } from 'node:readline';
import { didYouMean } from '../../config/did-you-mean.js';
import type { OptionDefinition } from '../../config/options/option-table.js';
import type { CommandLine } from '../command-line.js';
import { askPassword } from './ask-password.js';

/** The option of commands that ask for missing options. */
export const NO_PROMPT: OptionDefinition = {
  flag: 'no-prompt',
  help: 'failure instead of a question for a missing option',
};

export interface Choice {
  readonly id: string;
  readonly title: string;
}

/** Asks a person at a terminal for missing options. In a script a missing option is an error that names it. */
export class Questions {
  readonly #line: CommandLine;
  readonly #typedLines = new TypedLines();
  readonly isAsking: boolean;

  constructor(line: CommandLine) {
    this.#line = line;
    this.isAsking = process.stdin.isTTY === true && process.stderr.isTTY === true && !line.has(NO_PROMPT.flag);
  }

  /**
   * Returns the value of an option, or asks a person for it.
   * @param defaultAnswer the value of an empty answer, and of a missing option in a script; undefined if a value is
   * required
   * @throws BootError `options_invalid`
   */
  async text(flag: string, question: string, defaultAnswer?: string): Promise<string> {
    const optionValue = this.#line.value(flag);
    if (optionValue !== undefined) return optionValue;
    if (!this.isAsking) return defaultAnswer ?? this.#line.required(flag);
    for (;;) {
      const answer = await this.#askQuestion(
        `${question}${defaultAnswer === undefined || defaultAnswer === '' ? '' : ` [${defaultAnswer}]`}: `,
      );
      if (answer !== '' || defaultAnswer !== undefined) return answer || (defaultAnswer ?? '');
      process.stderr.write('Type an answer. Ctrl+C ends the command.\n');
    }
  }

  /**
   * Returns the choice with the ID in an option, or asks a person for its number or ID.
   * @throws BootError `options_invalid` for another ID, or for a missing option in a script
   */
  async choice<C extends Choice>(flag: string, question: string, choices: readonly C[]): Promise<C> {
    const optionValue = this.#line.value(flag);
    if (optionValue !== undefined || !this.isAsking) {
      const choiceId = optionValue ?? this.#line.required(flag);
      const ids = choices.map(({ id }) => id);
      const suggestion = didYouMean(choiceId, ids);
      return (
        choices.find(({ id }) => id === choiceId) ??
        this.#line.usageError(
          `--${flag}: unknown value "${choiceId}"`,
          suggestion === undefined ? `use ${ids.join(', ')}` : `did you mean ${suggestion}?`,
        )
      );
    }
    process.stderr.write(`${question}\n`);
    for (const [index, { title }] of choices.entries()) {
      process.stderr.write(`  ${String(index + 1).padStart(2)}  ${title}\n`);
    }
    for (;;) {
      const answer = await this.#askQuestion('Number: ');
      const choice = choices.find(({ id }) => id === answer) ?? choices[Number(answer) - 1];
      if (choice !== undefined) return choice;
      const problem = answer === '' ? 'Nothing is selected' : `"${answer}" is not in the list`;
      process.stderr.write(`${problem}. Type a number from 1 to ${choices.length}.\n`);
    }
  }

  /**
   * Returns true if the option is set, or asks a person. In a script, a missing option is false.
   * @param defaultAnswer the value of an empty answer
   * @throws BootError `options_invalid`
   */
  async yesOrNo(flag: string, question: string, defaultAnswer: boolean): Promise<boolean> {
    if (this.#line.has(flag)) return true;
    if (!this.isAsking) return false;
    for (;;) {
      const answer = await this.#askQuestion(`${question} ${defaultAnswer ? '[Y/n]' : '[y/N]'}: `);
      if (answer === '') return defaultAnswer;
      if (/^no?$/i.test(answer)) return false;
      if (/^y(es)?$/i.test(answer)) return true;
      process.stderr.write('Type y or n.\n');
    }
  }

  /**
   * Returns the value of the variable that `--NAME:env` names, or asks a person, without showing the answer.
   * @throws BootError `options_invalid`
   */
  async secret(name: string, question: string): Promise<string> {
    const secretOfEnvironment = this.#line.fromEnvironment(`${name}:env`);
    const secret = secretOfEnvironment ?? (this.isAsking ? await this.#askSecret(question) : undefined);
    return (
      secret ??
      this.#line.usageError(
        `the ${name.replaceAll('-', ' ')} is missing`,
        `name the variable that contains it: --${name}:env VARIABLE`,
      )
    );
  }

  async #askQuestion(question: string): Promise<string> {
    process.stderr.write(question);
    const answer = await this.#typedLines.next();
    return answer?.trim() ?? this.#line.usageError('the input has ended before the last question');
  }

  #askSecret(question: string): Promise<string | undefined> {
    this.#typedLines.close();
    return askPassword(`${question}: `);
  }
}

/** The lines that a person types, including lines that were typed before their question. */
class TypedLines {
  readonly #waiters: ((line: string | undefined) => void)[] = [];
  readonly #unreadLines: string[] = [];
  #terminal: Interface | undefined;
  #hasEnded = false;

  /** The next line; undefined at the end of the input. */
  next(): Promise<string | undefined> {
    const typedLine = this.#unreadLines.shift();
    if (typedLine !== undefined) return Promise.resolve(typedLine);
    if (this.#hasEnded) return Promise.resolve(undefined);
    this.#terminal ??= this.#open();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Lets other code read the terminal. */
  close(): void {
    this.#terminal?.removeAllListeners('close').close();
    this.#terminal = undefined;
  }

  #open(): Interface {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    terminal.on('line', (line) => {
      const waiter = this.#waiters.shift();
      if (waiter === undefined) this.#unreadLines.push(line);
      else waiter(line);
    });
    // In this mode the terminal sends no signal for Ctrl+C.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    terminal.on('close', () => {
      this.#hasEnded = true;
      for (const waiter of this.#waiters.splice(0)) waiter(undefined);
    });
    return terminal;
  }
}
