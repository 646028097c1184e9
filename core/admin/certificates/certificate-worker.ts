import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { HostError } from '@keyhost/spi';
import { BoundedQueue } from '../../model/bounded-queue.js';
import { codeOf } from '../../model/thrown.js';
import { AdminError } from '../admin.js';
import type { CertificateJob, CertificateJobReply, CertificateJobResults } from './certificate-jobs.js';

const THREAD = new URL('./certificate-thread.js', import.meta.url);
const TIME_LIMIT_MS = 10_000;

const REFUSALS = {
  'wrong password': { error: 'PKCS12 key store mac invalid', error_description: 'The store password is wrong' },
  'no keystore': { error: 'error loading keystore', error_description: 'The file is no PKCS12 keystore' },
} as const;

/** What is dear is done one at a time: threads that make keys are shared by all requests. */
export const DEAR_WORK = new BoundedQueue({ concurrency: 1, limit: 20 });

/**
 * Reads and writes in a thread of its own what takes a while, and as long as a keystore says: one at a time, and ended
 * when it takes more than 10 seconds.
 * @throws AdminError 400 for a keystore that cannot be read; HostError 503 where too many wait, or the machine is too slow
 */
export async function certificateJob<K extends CertificateJob['kind']>(
  job: Extract<CertificateJob, { kind: K }>,
): Promise<CertificateJobResults[K]> {
  return (await DEAR_WORK.run(() => run(job))) as CertificateJobResults[K];
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
    const isEnded =
      (error instanceof Error && error.name === 'AbortError') || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isEnded && job.kind !== 'read') {
      throw new HostError('temporarily_unavailable', 'The certificate could not be made in time', {
        status: 503,
        expose: true,
        headers: { 'retry-after': '10' },
      });
    }
    if (isEnded) {
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
