import type { Metric } from '../metric.js';
import type { Operations } from '../operations.js';
import { mergedHealth } from './merged-health.js';
import type { MergedMetrics } from './merged-metrics.js';
import type { WorkerProcesses } from './worker-processes.js';

/** Shorter than the timeout of health probes, and longer than a worker's own checks. Milliseconds. */
const HEALTH_LIMIT_MS = 2_500;
const METRICS_LIMIT_MS = 5_000;
/** For updates of all nodes, one after another; the caller gives up earlier. Milliseconds. */
const UPDATE_LIMIT_MS = 60 * 60 * 1000;

/** The operations of all workers together. */
export function operationsOf(workers: WorkerProcesses, metrics: MergedMetrics): Operations {
  return {
    get isStarted() {
      return workers.isStarted;
    },
    async health() {
      const byWorker = await workers.askAll('health', [], HEALTH_LIMIT_MS);
      const silent = [...byWorker.values()].filter((health) => health === undefined).length;
      const { checks, plugins } = mergedHealth(byWorker);
      const ofWorkers = {
        name: 'workers',
        // A worker that hangs still gets connections.
        isUp: workers.areComplete && silent === 0,
        data: { wanted: workers.wanted, ready: workers.ready - silent },
      };
      const host = { name: 'host', isUp: workers.isServing };
      const others = checks.filter(({ name, isUp }) => name !== host.name || (host.isUp && !isUp));
      return {
        checks: [...(others.some(({ name }) => name === host.name) ? [] : [host]), ofWorkers, ...others],
        plugins,
      };
    },
    metrics: async () => metrics.text(await workers.askAll('metrics', [], METRICS_LIMIT_MS)),
    realms: (withValues) => workers.askOne('realms', [withValues], METRICS_LIMIT_MS),
    plugins: {
      look: () => workers.askOne('look', [], UPDATE_LIMIT_MS),
      reload: (module) => workers.askOne('reload', [module], UPDATE_LIMIT_MS),
      rollback: (module) => workers.askOne('rollback', [module], UPDATE_LIMIT_MS),
      restart: (module) => workers.askOne('restart', [module], UPDATE_LIMIT_MS),
    },
    owner: {
      consoleLogin: (shows, username) => workers.askOne('consoleLogin', [shows, username], METRICS_LIMIT_MS),
      consoleLoginState: (id) => workers.askOne('consoleLoginState', [id], METRICS_LIMIT_MS),
      signIns: (realm, clientId) => workers.askOne('signIns', [realm, clientId], METRICS_LIMIT_MS),
      taken: (realm, names) => workers.askOne('taken', [realm, names], METRICS_LIMIT_MS),
    },
  };
}

/** Metrics of the parent process itself. */
export function workerMetrics(workers: () => WorkerProcesses): readonly Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'keyhost_processes_wanted',
      help: 'Number of configured worker processes (--workers)',
      values: () => [[{}, workers().wanted]],
    },
    {
      kind: 'gauge',
      name: 'keyhost_processes_ready',
      help: 'Number of running worker processes',
      values: () => [[{}, workers().ready]],
    },
    {
      kind: 'counter',
      name: 'keyhost_process_restarts_total',
      help: 'Number of restarts of a worker process, by its number',
      labels: ['worker'],
      values: () =>
        workers()
          .restarts()
          .map(([worker, count]) => [{ worker }, count]),
    },
  ];
}
