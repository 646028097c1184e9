import type { HealthCheck } from '../../http/management.js';
import type { HostHealth } from '../operations.js';

/**
 * Merges the health of worker processes. A check is up only if it is up in every worker, because each worker gets a
 * share of the connections. If it is down, the number of a worker in which it is down is added.
 * @param byWorker the health of each ready worker, by its number; undefined if the worker did not answer
 */
export function mergeHealth(byWorker: ReadonlyMap<number, HostHealth | undefined>): HostHealth {
  const checks = new Map<string, HealthCheck>();
  const plugins = new Map<string, boolean>();
  for (const [number, health] of byWorker) {
    for (const check of health?.checks ?? []) {
      const { name, isUp, data } = check;
      if (checks.get(name)?.isUp === false) continue;
      if (!isUp) checks.set(name, { name, isUp, data: { ...data, worker: number } });
      else if (!checks.has(name)) checks.set(name, check);
    }
    for (const { module, isUp } of health?.plugins ?? []) plugins.set(module, isUp && (plugins.get(module) ?? true));
  }
  return { checks: [...checks.values()], plugins: [...plugins].map(([module, isUp]) => ({ module, isUp })) };
}
