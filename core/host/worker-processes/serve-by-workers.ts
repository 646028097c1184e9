import type { HostOptions } from '../../config/options/options.js';
import { ownDataDirectory } from '../../store/own-data-directory.js';
import { createLogger } from '../log.js';
import { writeManagementAccess } from '../management-access.js';
import { ManagementServer } from '../management-server.js';
import type { ProcessExit } from '../process-exit.js';
import { checkProductionOptions } from '../production-checks.js';
import { notifySupervisor } from '../supervisor.js';
import { MergedMetrics } from './merged-metrics.js';
import { operationsOfWorkers, workerMetrics } from './operations-of-workers.js';
import { WorkerProcesses } from './worker-processes.js';

/** Time for a worker to close everything else after its requests have ended, in milliseconds. */
const CLOSE_TIMEOUT_MS = 15_000;

/**
 * Runs the parent of several worker processes. It owns the ports and the data directory, answers operators for all
 * workers, and restarts workers that end. On SIGTERM or SIGINT it drains them; a second signal ends them at once.
 * Resolves when all are ready.
 * @param argv the arguments of this process: `start` or `start-dev`, and the options
 * @throws BootError, StartFailedError
 */
export async function serveByWorkers(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  exit: ProcessExit,
  argv: readonly string[],
): Promise<void> {
  checkProductionOptions(options);
  const { dataDir, workers: count } = options;
  const logger = createLogger(options.logLevel);
  const metrics = new MergedMetrics(workerMetrics(() => workers));
  const workers = new WorkerProcesses({ count, logger, argv, onEnded: (number) => metrics.recordEnd(number) });
  const management = new ManagementServer(options, operationsOfWorkers(workers, metrics), logger);
  exit.onImmediateExit(() => workers.kill());
  const releaseDataDir = ownDataDirectory(dataDir);
  await management.open();
  let deleteAccessFile: () => Promise<void> = async () => {};
  const close = async () => {
    await deleteAccessFile();
    await management.close();
    await releaseDataDir();
  };
  try {
    const { url, grpcAddress } = await workers.start(management.url);
    const access = { url: management.url, secret: management.secret, server: options.hostname ?? url };
    deleteAccessFile = await writeManagementAccess(dataDir, access);
    exit.onStop((signal) => {
      process.stderr.write(`keyhost: ${signal}, draining\n`);
      void stop();
    });
    const grpc = grpcAddress === undefined ? '' : ` grpc=${grpcAddress}`;
    process.stdout.write(`Keyhost ready http=${url}${grpc} management=${management.url} workers=${count}\n`);
    await notifySupervisor('READY', env, logger);
  } catch (error) {
    await workers.stop(CLOSE_TIMEOUT_MS);
    await close();
    throw error;
  }

  async function stop(): Promise<void> {
    const { shutdownDelay, shutdownTimeout } = options;
    // The timeout applies to active gRPC calls, and then again to requests.
    const limitMs = shutdownDelay + 2 * shutdownTimeout + CLOSE_TIMEOUT_MS;
    const [failures] = await Promise.all([workers.stop(limitMs), notifySupervisor('STOPPING', env, logger)]);
    for (const [worker, end] of failures) logger.error('worker did not stop cleanly', { worker, end });
    await close();
    exit.exitNow(failures.size > 0 ? 1 : 0);
  }
}
