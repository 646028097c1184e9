import { Applications } from './applications.js';
import { Ledger } from './ledger.js';

export interface Load {
  /** The URL for requests. */
  readonly url: string;
  /** Requests per second. */
  readonly rate: number;
  /** Maximum duration of an answer in milliseconds, also during the fault. */
  readonly limit: number;
}

/**
 * Runs applications during a fault, and finally checks that everything acknowledged holds.
 * @param breaking causes the fault, and repairs it
 */
export async function underLoad(
  { url, rate, limit }: Load,
  breaking: (applications: Applications, ledger: Ledger) => Promise<void>,
): Promise<Ledger> {
  const ledger = new Ledger();
  const applications = new Applications(url, ledger, limit);
  let isOver = false;
  let load: Promise<void> | undefined;
  try {
    await applications.begin();
    load = applications.run(rate, () => isOver);
    // A fault before the first acknowledgement could lose nothing.
    await applications.acknowledges();
    await breaking(applications, ledger);
    isOver = true;
    await load;
    await applications.check();
  } finally {
    isOver = true;
    await load;
    applications.close();
  }
  return ledger;
}
