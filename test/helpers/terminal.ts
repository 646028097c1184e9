import { spawn } from 'node:child_process';
import type { ExecutionContext } from 'ava';
import { ran } from './command.js';
import { eventually } from './eventually.js';
import { COMMAND } from './process.js';

export interface Terminal {
  type(text: string): void;
  /** Resolves when it shows that. */
  shows(text: string): Promise<unknown>;
  /** Resolves at its end, with all that it has shown. */
  ends(): Promise<string>;
}

/** Whether `script` gives a program a terminal: BSD's and BusyBox's have other options. Without it the test is skipped. */
export async function hasTerminal(t: ExecutionContext): Promise<boolean> {
  const { stdout: version } = await ran('script', ['--version']).catch(() => ({ stdout: '' }));
  if (!version.includes('util-linux')) t.pass('skipped: there is no script of util-linux');
  return version.includes('util-linux');
}

/** Runs `keyhost` with these words at a terminal. */
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
