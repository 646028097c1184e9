import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresqlCluster, startCluster } from './cluster.js';
import type { Ledger } from './ledger.js';
import { isCommand, progress, tellTrials, trialOptions } from './trial.js';
import { underLoad } from './under-load.js';

const ABOUT = `The clock of one of two nodes is five seconds off, and then jumps by an hour, forwards and backwards, while each serves half of the
requests and what one issued is presented to the other. Each shift lasts long enough for the node to sweep what has expired.`;
const ANSWER_MS = 30_000;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

export const SHIFTS: Readonly<Record<string, number>> = {
  'a clock 5 s ahead': 5 * SECOND,
  'a clock 5 s behind': -5 * SECOND,
  'a clock jumps an hour ahead, and back': HOUR,
  'a clock jumps an hour back, and ahead': -HOUR,
};

export interface Shifted {
  readonly cluster: PostgresqlCluster;
  /** Sets the clock of the last node. */
  shift(ms: number): void;
}

/** Two nodes; the clock of the second one can be set. */
export async function shiftedCluster(): Promise<Shifted> {
  const file = join(mkdtempSync(join(tmpdir(), 'keyhost-clock-')), 'ahead');
  const shift = (ms: number) => {
    // Atomically, because the file is read repeatedly.
    writeFileSync(`${file}.new`, `${ms}`);
    renameSync(`${file}.new`, file);
  };
  shift(0);
  const preload = new URL('./shifted-clock.js', import.meta.url).href;
  const shifted = { NODE_OPTIONS: `--import=${preload}`, KEYHOST_TRIAL_CLOCK: file };
  const cluster = await startCluster({
    nodes: 2,
    envOf: (node): Record<string, string> => (node === 1 ? shifted : {}),
  });
  return { cluster, shift };
}

export function shiftClock(
  { cluster, shift }: Shifted,
  ms: number,
  { rounds, rate, seconds }: { rounds: number; rate: number; seconds: number },
): Promise<Ledger> {
  return underLoad({ url: cluster.url, rate, limit: ANSWER_MS }, async (applications, ledger) => {
    for (let round = 1; round <= rounds; round += 1) {
      await sleep(1000);
      shift(ms);
      await sleep(seconds * 1000);
      await applications.check();
      shift(0);
      await applications.check();
      progress(`${ms / SECOND} s, round ${round}: ${ledger.told()}; ${ledger.checked} looked after`);
    }
  });
}

if (isCommand(import.meta.url)) {
  const options = trialOptions('clocks', ABOUT, {
    rounds: ['2', 'of each shift'],
    rate: ['30', 'requests in a second'],
    seconds: ['65', 'how long each lasts: a node sweeps every 60'],
  });
  const rounds = Number(options.rounds);
  const rate = Number(options.rate);
  const seconds = Number(options.seconds);
  const shifted = await shiftedCluster();
  try {
    const trials = [];
    for (const [fault, ms] of Object.entries(SHIFTS))
      trials.push({ fault, rounds, ledger: await shiftClock(shifted, ms, { rounds, rate, seconds }) });
    tellTrials(trials);
  } finally {
    await shifted.cluster.close();
  }
  process.exit();
}
