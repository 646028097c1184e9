import type { Metric } from '../metric.js';
import type { Operations } from '../operations.js';
import { mergeHealth } from './merged-health.js';
import type { MergedMetrics } from './merged-metrics.js';
import type { WorkerProcesses } from './worker-processes.js';

/**
 * Timeouts in milliseconds. That of health is shorter than the timeout of health probes, and longer than the checks of
 * a worker take.
 */
const HEALTH_TIMEOUT_MS = 2_500;
const METRICS_TIMEOUT_MS = 5_000;
/** Covers updates of all nodes, one after another. The caller's own timeout is shorter. */
const UPDATE_TIMEOUT_MS = 60 * 60 * 1000;

/** Returns the operations of the management port for all workers together. */
export function operationsOfWorkers(workers: WorkerProcesses, metrics: MergedMetrics): Operations {
  return {
    get isStarted() {
      return workers.isStarted;
    },
    async health() {
      const byWorker = await workers.askAll('health', [], HEALTH_TIMEOUT_MS);
      const unanswered = [...byWorker.values()].filter((health) => health === undefined).length;
      const { checks, plugins } = mergeHealth(byWorker);
      const workersCheck = {
        name: 'workers',
        // A worker that hangs still gets connections, so the host is not up without its answer.
        isUp: workers.isComplete && unanswered === 0,
        data: { wanted: workers.count, ready: workers.readyCount - unanswered },
      };
      const hostCheck = { name: 'host', isUp: workers.isServing };
      const otherChecks = checks.filter(({ name, isUp }) => name !== hostCheck.name || (hostCheck.isUp && !isUp));
      return {
        checks: [
          ...(otherChecks.some(({ name }) => name === hostCheck.name) ? [] : [hostCheck]),
          workersCheck,
          ...otherChecks,
        ],
        plugins,
      };
    },
    metrics: async () => metrics.text(await workers.askAll('metrics', [], METRICS_TIMEOUT_MS)),
    realms: (withValues) => workers.askOne('realms', [withValues], METRICS_TIMEOUT_MS),
    plugins: {
      look: () => workers.askOne('look', [], UPDATE_TIMEOUT_MS),
      reload: (module) => workers.askOne('reload', [module], UPDATE_TIMEOUT_MS),
      rollback: (module) => workers.askOne('rollback', [module], UPDATE_TIMEOUT_MS),
      restart: (module) => workers.askOne('restart', [module], UPDATE_TIMEOUT_MS),
    },
    owner: {
      consoleLogin: (shows, username) => workers.askOne('consoleLogin', [shows, username], METRICS_TIMEOUT_MS),
      consoleLoginState: (id) => workers.askOne('consoleLoginState', [id], METRICS_TIMEOUT_MS),
      signIns: (realm, clientId) => workers.askOne('signIns', [realm, clientId], METRICS_TIMEOUT_MS),
      taken: (realm, names) => workers.askOne('taken', [realm, names], METRICS_TIMEOUT_MS),
    },
  };
}

/** Returns the metrics of the parent process itself. */
export function workerMetrics(workers: () => WorkerProcesses): readonly Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'keyhost_processes_wanted',
      help: 'Number of configured worker processes (--workers)',
      values: () => [[{}, workers().count]],
    },
    {
      kind: 'gauge',
      name: 'keyhost_processes_ready',
      help: 'Number of running worker processes',
      values: () => [[{}, workers().readyCount]],
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
