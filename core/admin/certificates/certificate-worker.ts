import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HostError } from '@keyhost/spi';
import { AdminError } from '../admin.js';
import type { CertificateJob, CertificateJobReply, CertificateJobResults } from './certificate-jobs.js';

const THREAD = new URL('./certificate-thread.js', import.meta.url);
const TIME_LIMIT_MS = 10_000;
/** Jobs that run or wait; more are told to come back. */
const WAITING_LIMIT = 20;

const REFUSALS = {
  'wrong password': { error: 'PKCS12 key store mac invalid', error_description: 'The store password is wrong' },
  'no keystore': { error: 'error loading keystore', error_description: 'The file is no PKCS12 keystore' },
} as const;

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Does what takes a while, and as long as a keystore says, in a thread of its own: one at a time, and ended when it takes
 * more than 10 seconds.
 * @throws AdminError 400 for a keystore that cannot be read; HostError 503 where too many wait
 */
export async function certificateJob<K extends CertificateJob['kind']>(
  job: Extract<CertificateJob, { kind: K }>,
): Promise<CertificateJobResults[K]> {
  if (waiting >= WAITING_LIMIT) {
    throw new HostError('busy', 'Too many keystores at a time', { status: 503, headers: { 'retry-after': '10' } });
  }
  waiting += 1;
  try {
    const turn = last.then(() => run(job));
    last = turn.catch(() => undefined);
    return (await turn) as CertificateJobResults[K];
  } finally {
    waiting -= 1;
  }
}

async function run(job: CertificateJob): Promise<CertificateJobResults[keyof CertificateJobResults]> {
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
    const { name, code } = error as { name: string; code?: unknown };
    if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new AdminError(400, {
        error: 'error loading keystore',
        error_description: 'The keystore takes too long to read: make it with fewer rounds of encryption',
      });
    }
    throw error;
  } finally {
    await worker.terminate();
  }
}
