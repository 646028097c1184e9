import type { JsonObject } from '../json-schema.js';
import { entriesOf } from '../realm-entries.js';
import type { RealmSwitch } from '../spi-options.js';

/**
 * The `RealmSwitch` of an SPI whose providers are named as `providerId` in the realm's `components` of a type.
 * @param type the type of the components, with Keycloak's name
 * @param subType their `subType`, if they have one
 * @param common settings that every component of the type has
 */
export function componentSwitch(
  type: string,
  { subType, common = {} }: { readonly subType?: string; readonly common?: JsonObject },
): RealmSwitch {
  return {
    key: 'components',
    *mentions({ components }) {
      const lists = (components ?? {}) as Readonly<Record<string, unknown>>;
      for (const [index, { providerId }] of entriesOf(lists[type])) {
        yield { id: String(providerId), path: ['components', type, index], enabled: true };
      }
    },
    example: (id, settings) => {
      const settingLists = Object.entries(settings).map(([name, value]) => [name, [value].flat()] as const);
      const config = JSON.stringify({ ...common, ...Object.fromEntries(settingLists) });
      const subTypeMember = subType === undefined ? '' : `"subType": "${subType}", `;
      return `"components": { "${type}": [{ "name": "${id}", "providerId": "${id}", ${subTypeMember}"config": ${config} }] }`;
    },
  };
}
