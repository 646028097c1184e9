import type { Server } from './rows.js';
import { p99, tokenTimes } from './token-times.js';

/** What the plugin `unruly` does in its worker. */
export const DEEDS = ['throw', 'hang', 'spin', 'leak', 'leak-buffers', 'exit', 'crash', 'flood-session', 'flood-log'];

/** A plugin that fails more often than that is left alone for a minute. */
const MOST_RUNS = 5;

/**
 * The 99th percentiles, in milliseconds, of another realm's token requests: beside a plugin in a worker that does the deed
 * when the window begins, and in quiet windows that take turns with those.
 */
export async function tokensBesideFault(
  server: Server,
  realms: { faulty: string; other: string },
  deed: string,
  runs: number,
  seconds: number,
): Promise<{ beside: number; quiet: number }> {
  const oidc = `${server.url}/realms/${realms.other}/protocol/openid-connect`;
  const plugin = `${server.url}/realms/${realms.faulty}/unruly`;
  const [quiet, beside]: [number[], number[]] = [[], []];
  await tokenTimes(oidc, 1);
  for (let run = 0; run < Math.min(runs, MOST_RUNS); run += 1) {
    quiet.push(...(await tokenTimes(oidc, seconds)));
    const done = fetch(`${plugin}/${deed}`, { method: 'POST' }).then((response) => response.text());
    beside.push(...(await tokenTimes(oidc, seconds)));
    await done;
    await isBack(`${plugin}/well`);
  }
  return { beside: p99(beside), quiet: p99(quiet) };
}

async function isBack(url: string): Promise<void> {
  while (!(await fetch(url)).ok) await new Promise((resolve) => setTimeout(resolve, 100));
}
