import type { Registry } from 'prom-client';
import type { ProviderCalls } from '../registry/sessions/provider-calls.js';
import type { Workers } from '../registry/worker/workers.js';

/** What is told of plugins, and from where. */
export interface ProviderSources {
  readonly calls: ProviderCalls;
  readonly workers: Workers;
  /** Every plugin of plugins.json, and whether it serves. */
  readonly plugins: () => readonly { readonly module: string; readonly isUp: boolean }[];
}

/** Registers the figures of plugins: their calls, and their workers. */
export function registerProviderMetrics(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
  { calls, workers, plugins }: ProviderSources,
): void {
  const registers = [registry];
  const ofProvider = { labelNames: ['provider', 'realm'] as const, registers };
  new Gauge({
    ...ofProvider,
    name: 'keyhost_provider_calls_running',
    help: 'Calls of a plugin’s provider under way in a realm',
    collect() {
      this.reset();
      for (const { provider, realm, running } of calls.counts()) this.set({ provider, realm }, running);
    },
  });
  new Counter({
    ...ofProvider,
    name: 'keyhost_provider_call_seconds_total',
    help: 'Seconds that calls of a plugin’s provider took in a realm',
    collect() {
      this.reset();
      for (const { provider, realm, seconds } of calls.counts()) this.inc({ provider, realm }, seconds);
    },
  });
  new Counter({
    name: 'keyhost_provider_calls_total',
    help: 'Calls of a plugin’s provider in a realm, by how they ended',
    labelNames: ['provider', 'realm', 'end'],
    registers,
    collect() {
      this.reset();
      for (const { provider, realm, ends } of calls.counts()) {
        for (const [end, count] of ends) this.inc({ provider, realm, end }, count);
      }
    },
  });
  new Gauge({
    name: 'keyhost_plugin_up',
    help: '1: the plugin serves; 0: it was left out, or its worker is down',
    labelNames: ['plugin'],
    registers,
    collect() {
      this.reset();
      for (const { module, isUp } of plugins()) this.set({ plugin: module }, isUp ? 1 : 0);
    },
  });
  new Counter({
    name: 'keyhost_worker_downs_total',
    help: 'How often workers of a plugin went down, by reason',
    labelNames: ['plugin', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const { module, downs } of workers.all()) {
        for (const [reason, count] of downs) this.inc({ plugin: module, reason }, count);
      }
    },
  });
  const ofWorker = (name: string, help: string, value: (worker: WorkerFigures) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['plugin'] as const, registers },
      collect() {
        this.reset();
        for (const { module, current } of workers.all()) if (current) this.set({ plugin: module }, value(current));
      },
    });
  ofWorker('keyhost_worker_heap_bytes', 'Heap of a plugin’s worker', ({ memory }) => memory.heap);
  ofWorker('keyhost_worker_buffer_bytes', 'Buffers of a plugin’s worker', ({ memory }) => memory.buffers);
  ofWorker('keyhost_worker_calls_pending', 'Calls that a plugin’s worker has not answered', ({ peer }) => peer.pending);
  ofWorker('keyhost_worker_calls_abandoned', 'Of those, the ones nobody waits for', ({ peer }) => peer.abandoned);
  new Gauge({
    name: 'keyhost_worker_threads_stuck',
    help: 'Threads that hang in native code and cannot be ended',
    registers,
    collect() {
      this.set(workers.stuck);
    },
  });
}

type WorkerFigures = NonNullable<import('../registry/worker/supervised-worker.js').SupervisedWorker['current']>;
