import { Applications } from './applications.js';
import { Ledger } from './ledger.js';

export interface Load {
  /** Where requests go. */
  readonly url: string;
  /** Requests in a second. */
  readonly rate: number;
  /** Milliseconds that an answer may take, whatever is broken. */
  readonly limit: number;
}

/**
 * Lets applications work while something breaks, and looks at the end whether all that was acknowledged holds.
 * @param breaking breaks something, and mends it again
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
    // What breaks before anything was acknowledged can lose nothing.
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
