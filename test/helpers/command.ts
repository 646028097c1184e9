import { spawn } from 'node:child_process';
import { COMMAND } from './process.js';

export interface Ran {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to completion. */
export async function ran(
  program: string,
  words: readonly string[],
  { cwd, env = {}, as }: { cwd?: string; env?: Readonly<Record<string, string>>; as?: number | undefined } = {},
): Promise<Ran> {
  const child = spawn(program, [...words], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(as === undefined ? {} : { uid: as, gid: as }),
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      output[stream] += String(chunk);
    });
  }
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  return { code, ...output };
}

/** Runs `keyhost` with these arguments to completion. */
export function keyhost(words: readonly string[], options: Parameters<typeof ran>[2] = {}): Promise<Ran> {
  return ran(process.execPath, [COMMAND, ...words], options);
}
