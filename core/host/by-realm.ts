import { NAMED_REALMS, OTHERS } from '../registry/metrics/named-realms.js';

/**
 * Returns a metric of the first realms by name, and one value for all others.
 * @param together combines the values of two of the others; default: their sum
 */
export function byRealm(
  figures: Iterable<readonly [realm: string, figure: number]>,
  together: (one: number, other: number) => number = (one, other) => one + other,
): readonly (readonly [realm: string, figure: number])[] {
  const named: (readonly [string, number])[] = [];
  let others: number | undefined;
  for (const [realm, figure] of figures) {
    if (named.length < NAMED_REALMS) named.push([realm, figure]);
    else others = others === undefined ? figure : together(others, figure);
  }
  return others === undefined ? named : [...named, [OTHERS, others]];
}
