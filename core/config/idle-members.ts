import type { RealmRepresentation } from '../model/representation.js';
import type { JsonPath } from './json/json-document.js';
import type { SchemaProblem } from './json/schema-check.js';
import { mapperHints } from './realm-file/mapper-hints.js';
import type { ProviderSchema } from './realm-file/provider-checks.js';
import { unreadSettings } from './realm-file/unread-settings.js';
import { unusedThings } from './settings/unused-things.js';

/** A member of a realm that is stored and has no effect. */
export interface IdleMember extends SchemaProblem {
  /** The log has this: places in lists change with the lists. It is the same for the same member of another version of the realm. */
  readonly sentence: string;
  /** Place within a member that is a text of JSON. */
  readonly inner?: JsonPath | undefined;
}

/** Things that no provider of this host carries out, mappers that add nothing, and settings that no provider reads. */
export function idleThings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): IdleMember[] {
  return [
    ...unusedThings(realm, providers).map((one) => ({ ...one, sentence: one.message })),
    ...[...mapperHints(realm, providers), ...unreadSettings(realm, providers)].map((one) => ({
      ...one,
      sentence: `${one.owner}: ${one.message}`,
    })),
  ];
}
