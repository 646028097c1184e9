import type { RealmRepresentation } from '../model/representation.js';
import type { JsonPath } from './json/json-document.js';
import type { SchemaProblem } from './json/schema-check.js';
import { mapperHints } from './realm-file/mapper-hints.js';
import type { ProviderSchema } from './realm-file/provider-checks.js';
import { unreadSettings } from './realm-file/unread-settings.js';
import { unusedThings } from './settings/unused-things.js';

/** A member of a realm that is stored and has no effect. */
export interface IdleMember extends SchemaProblem {
  /** The log shows this text: it has no list indexes, so it is the same in every version of the realm. */
  readonly sentence: string;
  /** The path within a member whose value is JSON in a string. */
  readonly inner?: JsonPath | undefined;
}

/**
 * Lists things that no provider of this host carries out, mappers that add nothing, and settings that no provider
 * reads.
 */
export function idleThings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): IdleMember[] {
  return [
    ...unusedThings(realm, providers).map((one) => ({ ...one, sentence: one.message })),
    ...[...mapperHints(realm, providers), ...unreadSettings(realm, providers)].map((one) => ({
      ...one,
      sentence: `${one.owner}: ${one.message}`,
    })),
  ];
}
