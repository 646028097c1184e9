import { MAX_REALM_LABELS, OTHER_REALMS } from '../registry/metrics/realm-labels.js';

/**
 * Returns the values of the first realms under their names, and one combined value for all other realms.
 * @param combine combines two values of other realms; the default is the sum
 */
export function metricsByRealm(
  values: Iterable<readonly [realm: string, value: number]>,
  combine: (one: number, other: number) => number = (one, other) => one + other,
): readonly (readonly [realm: string, value: number])[] {
  const labelled: (readonly [string, number])[] = [];
  let combinedRest: number | undefined;
  for (const [realm, value] of values) {
    if (labelled.length < MAX_REALM_LABELS) labelled.push([realm, value]);
    else combinedRest = combinedRest === undefined ? value : combine(combinedRest, value);
  }
  return combinedRest === undefined ? labelled : [...labelled, [OTHER_REALMS, combinedRest]];
}
