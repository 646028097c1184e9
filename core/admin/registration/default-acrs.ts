import type { Realm } from '../../model/realm.js';
import { acrValues } from '../../tokens/acr.js';

/**
 * The first of a client's default acr values that is no level of the realm, by name or number: logins would never ask
 * for it. Undefined if all are.
 */
export function unknownAcr(realm: Realm, values: readonly string[]): string | undefined {
  const names = acrValues(realm, []);
  return values.find((value) => !names.includes(value) && !/^\d{1,9}$/.test(value));
}
