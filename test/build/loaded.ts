import { once } from 'node:events';
import type { Run } from '../helpers/process.js';

/** The environment for a host that `loaded` can query. */
export const REPORTS = { NODE_OPTIONS: `--import ${new URL('./report-loaded.js', import.meta.url).href}` };

/** The CommonJS files that a host has loaded by now. */
export async function loaded({ child, output }: Run): Promise<readonly string[]> {
  const before = output().length;
  child.kill('SIGUSR2');
  while (!/LOADED (\[.*\])\n/.test(output().slice(before))) await once(child.stderr ?? child, 'data');
  return JSON.parse(/LOADED (\[.*\])\n/.exec(output().slice(before))?.[1] ?? '[]') as string[];
}
