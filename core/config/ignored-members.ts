import type { RealmRepresentation } from '../model/representation.js';
import type { JsonPath } from './json/json-document.js';
import type { SchemaProblem } from './json/schema-check.js';
import { mapperHints } from './realm-file/mapper-hints.js';
import type { ProviderSchema } from './realm-file/provider-checks.js';
import { settingWarnings } from './realm-file/setting-warnings.js';
import { unimplementedObjects } from './settings/unimplemented-objects.js';

/** A member of a realm that is stored and has no effect. */
export interface IgnoredMember extends SchemaProblem {
  /** The text for the log. It contains no list indexes, so that it does not change when the realm's lists do. */
  readonly sentence: string;
  /** The path within a member whose value is JSON in a string. */
  readonly inner?: JsonPath | undefined;
}

/**
 * Finds objects whose provider this host lacks, mappers that add nothing to tokens, and settings that no provider
 * reads.
 */
export function ineffectiveObjects(realm: RealmRepresentation, providers: readonly ProviderSchema[]): IgnoredMember[] {
  return [
    ...unimplementedObjects(realm, providers).map((one) => ({ ...one, sentence: one.message })),
    ...[...mapperHints(realm, providers), ...settingWarnings(realm, providers)].map((one) => ({
      ...one,
      sentence: `${one.owner}: ${one.message}`,
    })),
  ];
}
