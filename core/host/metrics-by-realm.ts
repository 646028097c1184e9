import { MAX_REALM_LABELS, OTHER_REALMS } from '../registry/metrics/realm-labels.js';

/**
 * Returns a metric of the first realms by name, and one value for all others.
 * @param together combines the values of two of the others; default: their sum
 */
export function metricsByRealm(
  figures: Iterable<readonly [realm: string, figure: number]>,
  together: (one: number, other: number) => number = (one, other) => one + other,
): readonly (readonly [realm: string, figure: number])[] {
  const named: (readonly [string, number])[] = [];
  let others: number | undefined;
  for (const [realm, figure] of figures) {
    if (named.length < MAX_REALM_LABELS) named.push([realm, figure]);
    else others = others === undefined ? figure : together(others, figure);
  }
  return others === undefined ? named : [...named, [OTHER_REALMS, others]];
}
