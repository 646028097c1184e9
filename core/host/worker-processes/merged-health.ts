import type { HealthCheck } from '../../http/management.js';
import type { HostHealth } from '../operations.js';

/**
 * The health of processes that serve together: a check is well where it is in each of them, since each gets its share of the
 * connections. The number of one where it is not stands beside it.
 * @param told by each process that serves, by its number; undefined of one that did not answer
 */
export function mergedHealth(told: ReadonlyMap<number, HostHealth | undefined>): HostHealth {
  const checks = new Map<string, HealthCheck>();
  const plugins = new Map<string, boolean>();
  for (const [number, health] of told) {
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
