import { spawn, spawnSync } from 'node:child_process';
import test, { type ExecutionContext } from 'ava';
import { eventually } from './eventually.js';
import { COMMAND } from './process.js';

export interface Terminal {
  type(text: string): void;
  /** Resolves when the terminal shows that text. */
  shows(text: string): Promise<unknown>;
  /** Resolves at the end, with the whole output. */
  ends(): Promise<string>;
}

/** The `script` of BSD and BusyBox has different options. */
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

/** AVA's serial test. AVA reports it as skipped if there is no tool that provides a terminal. */
export function terminalTest(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (hasTerminal) test.serial(title, run);
  else test.serial.skip(`${title} (no script of util-linux)`, run);
}

/** Runs `keyhost` with these arguments in a terminal. */
export function atTerminal(t: ExecutionContext, words: string): Terminal {
  const child = spawn('script', ['-qec', `${process.execPath} ${COMMAND} ${words}`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  let output = '';
  let hasEnded = false;
  child.once('close', () => {
    hasEnded = true;
  });
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  return {
    type: (text) => void child.stdin.write(text),
    shows: (text) => eventually(() => output.includes(text)),
    ends: () => eventually(() => hasEnded && output),
  };
}
