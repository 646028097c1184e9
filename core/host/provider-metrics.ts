import type { PluginMetricValues } from '../registry/metrics/plugin-metric-values.js';
import { MAX_REALM_LABELS, OTHER_REALMS } from '../registry/metrics/realm-labels.js';
import { type CallCounts, emptyCallCounts } from '../registry/sessions/call-counts.js';
import type { ProviderCalls } from '../registry/sessions/provider-calls.js';
import type { PluginsStatus } from '../registry/updates/update-report.js';
import type { SupervisedWorker } from '../registry/worker/supervised-worker.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Metric } from './metric.js';

/** The sources of plugins' metrics. */
export interface ProviderSources {
  readonly calls: ProviderCalls;
  readonly workers: Workers;
  /** The metrics that plugins declare. */
  readonly metrics: Pick<PluginMetricValues, 'onFamily'>;
  /** The plugins of plugins.json, and the results of their updates. */
  readonly status: () => PluginsStatus;
}

/** Returns the metrics of plugins: their calls, workers and updates. */
export function providerMetrics({ calls, workers, status }: ProviderSources): readonly Metric[] {
  return [
    ...callMetrics(calls),
    ...grantMetrics(calls),
    {
      kind: 'gauge',
      name: 'keyhost_plugin_up',
      help: '1: the plugin is running; 0: it was skipped, or its worker is down',
      labels: ['plugin'],
      aggregate: 'min',
      values: () => status().plugins.map(({ module, state }) => [{ plugin: module }, state === 'running' ? 1 : 0]),
    },
    ...workerMetrics(workers),
    ...updateMetrics(status),
  ];
}

function callMetrics(calls: ProviderCalls): readonly Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'keyhost_provider_calls_running',
      help: 'Number of running calls of a plugin’s provider in a realm',
      labels: ['provider', 'realm'],
      values: () => countsByLabel(calls).map(({ provider, realm, running }) => [{ provider, realm }, running]),
    },
    {
      kind: 'counter',
      name: 'keyhost_provider_call_seconds_total',
      help: 'Duration of calls of a plugin’s provider in a realm, in seconds',
      labels: ['provider', 'realm'],
      values: () => countsByLabel(calls).map(({ provider, realm, seconds }) => [{ provider, realm }, seconds]),
    },
    {
      kind: 'counter',
      name: 'keyhost_provider_calls_total',
      help: 'Number of calls of a plugin’s provider in a realm, by outcome',
      labels: ['provider', 'realm', 'end'],
      values: () =>
        countsByLabel(calls).flatMap(({ provider, realm, ends }) =>
          [...ends].map(([end, count]) => [{ provider, realm, end }, count] as const),
        ),
    },
  ];
}

/**
 * Counts requests that were refused because a right is not granted. There are few series, because each plugin needs few
 * rights.
 */
function grantMetrics(calls: ProviderCalls): readonly Metric[] {
  return [
    {
      kind: 'counter',
      name: 'keyhost_plugin_ungranted_total',
      help: 'Number of requests of a plugin that were refused because plugins.json does not grant a right',
      labels: ['plugin', 'right'],
      values: () => [...calls.deniedRights.values()].map(({ plugin, right, count }) => [{ plugin, right }, count]),
    },
  ];
}

/**
 * Returns the counts of each provider by realm: separately for the realms that called it first, and together for all
 * others.
 */
function countsByLabel(calls: ProviderCalls): readonly CallCounts[] {
  const labelled: CallCounts[] = [];
  const realmCounts = new Map<string, number>();
  const otherRealms = new Map<string, CallCounts>();
  for (const counts of calls.counts()) {
    const { provider, running, seconds, ends } = counts;
    const realms = (realmCounts.get(provider) ?? 0) + 1;
    realmCounts.set(provider, realms);
    if (realms <= MAX_REALM_LABELS) {
      labelled.push(counts);
      continue;
    }
    const total = otherRealms.get(provider) ?? emptyCallCounts(provider, OTHER_REALMS);
    otherRealms.set(provider, total);
    total.running += running;
    total.seconds += seconds;
    for (const [end, count] of ends) total.ends.set(end, (total.ends.get(end) ?? 0) + count);
  }
  return [...labelled, ...otherRealms.values()];
}

function workerMetrics(workers: Workers): readonly Metric[] {
  return [
    {
      kind: 'counter',
      name: 'keyhost_worker_downs_total',
      help: 'Number of times that workers of a plugin ended, by reason',
      labels: ['plugin', 'reason'],
      values: () =>
        [...workers.all()].flatMap(({ module, failuresByReason }) =>
          [...failuresByReason].map(([reason, count]) => [{ plugin: module, reason }, count] as const),
        ),
    },
    workerMetric(workers, 'heap_bytes', 'Heap size of a plugin’s worker in bytes', ({ memory }) => memory.heap),
    workerMetric(workers, 'buffer_bytes', 'Buffer size of a plugin’s worker in bytes', ({ memory }) => memory.buffers),
    workerMetric(
      workers,
      'calls_pending',
      'Number of unanswered calls of a plugin’s worker',
      ({ peer }) => peer.pendingCount,
    ),
    workerMetric(
      workers,
      'calls_abandoned',
      'Number of unanswered calls of a plugin’s worker that were abandoned',
      ({ peer }) => peer.abandonedCount,
    ),
    {
      kind: 'gauge',
      name: 'keyhost_worker_threads_stuck',
      help: 'Number of threads that hang in native code and cannot be stopped',
      values: () => [[{}, workers.stuckCount]],
    },
  ];
}

/** Creates a metric that has a value for each running worker. */
function workerMetric(
  workers: Workers,
  name: string,
  help: string,
  value: (worker: NonNullable<SupervisedWorker['current']>) => number,
): Metric {
  return {
    kind: 'gauge',
    name: `keyhost_worker_${name}`,
    help,
    labels: ['plugin'],
    values: () =>
      [...workers.all()].flatMap(({ module, current }) => (current ? [[{ plugin: module }, value(current)]] : [])),
  };
}

function updateMetrics(status: () => PluginsStatus): readonly Metric[] {
  const definitions: readonly [name: string, help: string, readValue: (plugins: PluginsStatus) => number][] = [
    ['generation', 'Number of the current generation of plugins', ({ generation }) => generation],
    ['generations_draining', 'Number of previous generations with running calls', ({ draining }) => draining.length],
    ['swaps', 'Number of successful reloads of plugins', ({ swaps }) => swaps],
    ['failed_updates', 'Number of failed reloads of plugins', ({ failedUpdates }) => failedUpdates],
    [
      'loaded_in_process',
      'Number of plugin versions that were loaded into this process in place of others',
      ({ loadedInProcess }) => loadedInProcess,
    ],
  ];
  return definitions.map(([name, help, readValue]) => ({
    kind: 'gauge',
    name: `keyhost_plugin_${name}`,
    help,
    // Each process updates its plugins separately; the values differ only for a moment.
    aggregate: 'max',
    values: () => [[{}, readValue(status())]],
  }));
}
