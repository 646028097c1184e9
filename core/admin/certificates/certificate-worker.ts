import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../../model/fair-queue.js';
import { retryLater } from '../../model/retry-later.js';
import { codeOf } from '../../model/thrown.js';
import { AdminError } from '../admin.js';
import {
  type CertificateJob,
  type CertificateJobReply,
  type CertificateJobResults,
  MAX_ROUNDS,
} from './certificate-jobs.js';

const THREAD = new URL('./certificate-thread.js', import.meta.url);
/** Ends a thread that hangs. The limit is high, since a busy machine may be slow; `MAX_ROUNDS` limits the work. */
const TIME_LIMIT_MS = 60_000;

const REFUSALS = {
  'wrong password': { error: 'PKCS12 key store mac invalid', error_description: 'The store password is wrong' },
  'no keystore': { error: 'error loading keystore', error_description: 'The file is not a PKCS12 keystore' },
  'too expensive': {
    error: 'error loading keystore',
    error_description: `The keystore uses more than ${MAX_ROUNDS} rounds of encryption: create it with fewer`,
  },
} as const;

/**
 * The queue for expensive work: it runs one job at a time, and realms take turns. Generating keys for clients uses it
 * too.
 */
export const EXPENSIVE_WORK = new FairQueue({ concurrency: 1, limit: 20 });

/**
 * Creates certificates and reads or writes keystores in a worker thread, because a keystore determines how long that
 * takes. It runs one job at a time, and ends it after a minute.
 * @param realm the realm of the client
 * @throws AdminError 400 for a keystore that cannot be read; HostError 503 if too many jobs of that realm are waiting,
 * or the job takes too long
 */
export async function runCertificateJob<K extends CertificateJob['kind']>(
  realm: string,
  job: Extract<CertificateJob, { kind: K }>,
): Promise<CertificateJobResults[K]> {
  return (await EXPENSIVE_WORK.run(realm, () => runInThread(job))) as CertificateJobResults[K];
}

async function runInThread(job: CertificateJob): Promise<CertificateJobResults[keyof CertificateJobResults]> {
  const worker = new Worker(THREAD, {
    workerData: job,
    name: 'keyhost-certificates',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  try {
    const [reply] = (await once(worker, 'message', { signal: AbortSignal.timeout(TIME_LIMIT_MS) })) as [
      CertificateJobReply,
    ];
    if ('refused' in reply) throw new AdminError(400, REFUSALS[reply.refused]);
    return reply.done;
  } catch (error) {
    const hasExceededLimit =
      (error instanceof Error && error.name === 'AbortError') || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (hasExceededLimit) {
      throw retryLater('temporarily_unavailable', 'Reading the keystore or certificate took too long', 10);
    }
    throw error;
  } finally {
    await worker.terminate();
  }
}
