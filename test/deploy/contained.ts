import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Ran } from '../helpers/command.js';

export interface Contained {
  readonly child: ChildProcess;
  /** Resolves at its ready message; rejects with its output if it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ran>;
  /** Its current standard output. */
  readonly output: () => string;
}

/** Starts a program as a container does: with only these variables, and without input. Killed with the test. */
export function startContained(
  t: ExecutionContext,
  [program = '', ...words]: readonly string[],
  { env, cwd }: { env: Readonly<Record<string, string>>; cwd: string },
): Contained {
  const child = spawn(program, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const ended = new Promise<Ran>((resolve) =>
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output })),
  );
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output.stdout += String(chunk);
      if (/^Keyhost ready /m.test(output.stdout)) resolve();
    });
    void ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${output.stdout}${output.stderr}`)));
  });
  // Programs that are never ready are waited for by their end.
  ready.catch(() => {});
  return { child, ready, ended, output: () => output.stdout };
}

/** The files of a folder with path, size in bytes and time, except for one path and everything below it. */
export async function filesIn(
  dir: string,
  but?: string,
): Promise<readonly { readonly path: string; readonly size: number; readonly changedAt: number }[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  const kept = paths.filter((path) => but === undefined || !`${path}/`.startsWith(`${but}/`));
  return Promise.all(
    kept.map(async (path) => {
      const stats = await lstat(path);
      return { path, size: stats.isFile() ? stats.size : 0, changedAt: stats.mtimeMs };
    }),
  );
}

/** Makes everything in a folder read-only, except for one path and everything below it. */
export async function makeReadOnly(dir: string, but: string): Promise<void> {
  for (const { path } of [...(await filesIn(dir, but))].reverse()) {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) await chmod(path, stats.mode & 0o555);
  }
}
