import type { RealmSwitch } from '../kind.js';
import { entriesOf } from '../realm-entries.js';

/**
 * Providers that the realm's `components` of a type name as `providerId`.
 * @param type of the components, with Keycloak's name
 * @param more members of the example, as JSON
 */
export function componentSwitch(type: string, more: string): RealmSwitch {
  return {
    key: 'components',
    *mentions({ components }) {
      const lists = (components ?? {}) as Readonly<Record<string, unknown>>;
      for (const [index, { providerId }] of entriesOf(lists[type])) {
        yield { id: String(providerId), path: ['components', type, index], enabled: true };
      }
    },
    example: (id) => `"components": { "${type}": [{ "name": "${id}", "providerId": "${id}", ${more} }] }`,
  };
}
