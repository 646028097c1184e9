import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Ledger } from './ledger.js';

/** Options with default value and description. */
export type TrialOptions = Readonly<Record<string, readonly [value: string, help: string]>>;

/** The result of a trial: a row of the table. */
export interface Trial {
  readonly fault: string;
  readonly rounds: number;
  readonly ledger: Ledger;
  /** In addition to losses: durations, memory. */
  readonly notes?: readonly string[];
}

/** True if the module was started as a command, and not imported by a test. */
export function isCommand(module: string): boolean {
  return process.argv[1] === fileURLToPath(module);
}

/** Parses the command line of a trial. `--help` ends the process. @throws TypeError for an unknown option */
export function trialOptions<const T extends TrialOptions>(
  name: string,
  about: string,
  options: T,
): Record<keyof T, string> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      ...Object.fromEntries(
        Object.entries(options).map(([flag, [value]]) => [flag, { type: 'string' as const, default: value }]),
      ),
    },
  });
  if (values.help === true) {
    const lines = Object.entries(options).map(
      ([flag, [value, help]]) => `  --${`${flag} ${value}`.padEnd(20)} ${help}`,
    );
    process.stdout.write(
      `node dist/test/faults/${name}.js\n\n${about}\n\n${lines.join('\n')}\n\nExit code: 0 nothing was lost, 1 something was.\n`,
    );
    process.exit(0);
  }
  // Exit explicitly, so that child processes are ended too.
  process.once('SIGTERM', () => process.exit(1));
  return values as unknown as Record<keyof T, string>;
}

/** Prints the table, and sets the exit code. */
export function tellTrials(trials: readonly Trial[]): void {
  const rows = trials.map(({ fault, rounds, ledger, notes = [] }) => {
    const lost = ledger.lost.length === 0 ? 'nothing' : ledger.lost.join('; ');
    const cells = [fault, rounds, ledger.requests, ledger.told(), ledger.checked, notes.join('; ') || '–', lost];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| fault | rounds | requests | answers by status | looked after | beside | lost |\n|---|---|---|---|---|---|---|';
  process.stdout.write(`${head}\n${rows.join('\n')}\n`);
  process.exitCode = trials.every(({ ledger }) => ledger.lost.length === 0) ? 0 : 1;
}

/** Prints the progress, with the time. */
export function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
