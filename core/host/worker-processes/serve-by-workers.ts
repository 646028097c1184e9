import type { HostOptions } from '../../config/options/options.js';
import { ownDataDirectory } from '../../store/own-data-directory.js';
import { createLogger } from '../log.js';
import { writeManagementAccess } from '../management-access.js';
import { ManagementServer } from '../management-server.js';
import type { ProcessExit } from '../process-exit.js';
import { checkProductionOptions } from '../production-checks.js';
import { notifySupervisor } from '../supervisor.js';
import { MergedMetrics } from './merged-metrics.js';
import { operationsOf, workerMetrics } from './operations-of-workers.js';
import { WorkerProcesses } from './worker-processes.js';

/**
 * Time for closing plugins, delivering last events and closing the store after requests have ended, in milliseconds.
 */
const CLOSE_MS = 15_000;

/**
 * Runs the parent of several worker processes: it owns the ports and the data directory, answers operators for all, and
 * restarts workers that end. On SIGTERM and SIGINT it drains them; the second signal ends them at once. Resolves when
 * all are ready.
 * @param argv the arguments of this process: `start` or `start-dev`, and the options
 * @throws BootError, StartFailed
 */
export async function serveByWorkers(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  exit: ProcessExit,
  argv: readonly string[],
): Promise<void> {
  checkProductionOptions(options);
  const { dataDir, workers: count, managementHost: host, managementPort: port } = options;
  const logger = createLogger(options.logLevel);
  const metrics = new MergedMetrics(workerMetrics(() => workers));
  const workers = new WorkerProcesses({ count, logger, argv, onEnded: (number) => metrics.ended(number) });
  const management = new ManagementServer({ host, port }, operationsOf(workers, metrics));
  exit.before(() => workers.kill());
  const freeDataDir = ownDataDirectory(dataDir);
  await management.open();
  let forget: () => Promise<void> = async () => {};
  const close = async () => {
    await forget();
    await management.close();
    await freeDataDir();
  };
  try {
    const { url, grpcAddress } = await workers.start(management.url);
    const access = { url: management.url, secret: management.secret, server: options.hostname ?? url };
    forget = await writeManagementAccess(dataDir, access);
    exit.onStop((signal) => {
      process.stderr.write(`keyhost: ${signal}, draining\n`);
      void stop();
    });
    const grpc = grpcAddress === undefined ? '' : ` grpc=${grpcAddress}`;
    process.stdout.write(`Keyhost ready http=${url}${grpc} management=${management.url} workers=${count}\n`);
    await notifySupervisor('READY', env, logger);
  } catch (error) {
    await workers.stop(CLOSE_MS);
    await close();
    throw error;
  }

  async function stop(): Promise<void> {
    const { shutdownDelay, shutdownTimeout } = options;
    // The limit applies to gRPC calls under way, and then again to requests.
    const limitMs = shutdownDelay + 2 * shutdownTimeout + CLOSE_MS;
    const [failed] = await Promise.all([workers.stop(limitMs), notifySupervisor('STOPPING', env, logger)]);
    for (const [worker, end] of failed) logger.error('worker did not stop cleanly', { worker, end });
    await close();
    exit.now(failed.size > 0 ? 1 : 0);
  }
}
