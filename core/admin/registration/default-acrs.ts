import type { Realm } from '../../model/realm.js';
import { acrValues } from '../../tokens/acr.js';

/**
 * Returns the first default acr value that is not a level of the realm, by name or number. No login would ever request
 * it. Undefined if there is none.
 */
export function unknownAcr(realm: Realm, values: readonly string[]): string | undefined {
  const names = acrValues(realm, []);
  return values.find((value) => !names.includes(value) && !/^\d{1,9}$/.test(value));
}
