import type { Target } from '../rows/row.js';
import { workerOf } from '../work.js';
import type { CountedHost } from './counted-host.js';

/** The costs of one unit of work, such as a token request. Noise of the machine does not change them. */
export interface UnitCosts {
  /** Kilobytes that are allocated on the heap. */
  readonly kilobytes: number;
  readonly queries: number;
  readonly storeMessages: number;
  /** Duration of the count. Some messages are sent at intervals, however many units there are. */
  readonly seconds: number;
}

const CONNECTIONS = 4;

/**
 * Counts the work of a host for the target's requests.
 * @param units number of counted units, after half as many that warm it up
 * @throws Error if the host collected garbage meanwhile
 */
export async function unitCosts(host: CountedHost, target: Pick<Target, 'work'>, units: number): Promise<UnitCosts> {
  const worker = workerOf({ ...(await target.work(host.server)), connections: CONNECTIONS });
  try {
    await send(worker, Math.ceil(units / 2));
    const before = await host.counts();
    await send(worker, units);
    const after = await host.counts();
    if (after.collections > before.collections) throw new Error('garbage was collected during the count');
    const perUnit = (member: 'allocated' | 'queries' | 'storeMessages') => (after[member] - before[member]) / units;
    return {
      kilobytes: perUnit('allocated') / 1024,
      queries: perUnit('queries'),
      storeMessages: perUnit('storeMessages'),
      seconds: (after.at - before.at) / 1000,
    };
  } finally {
    worker.close();
  }
}

async function send(worker: ReturnType<typeof workerOf>, units: number): Promise<void> {
  let sent = 0;
  const loop = async (index: number) => {
    while (sent < units) {
      sent += 1;
      await worker.once(index);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => loop(index)));
}
