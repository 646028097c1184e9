import { defined } from '../../model/defined.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import { maskMistakes } from './masked-secrets.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import { checkKeys } from './realm-key-checks.js';
import { FILE_SCHEMA } from './schema/file-schema.js';
import { SHARED_SCHEMAS } from './schema/realm-schema.js';

export interface RealmChecks {
  readonly providers: readonly ProviderSchema[];
  /** True when a plugin that is not required was left out. */
  readonly someLeftOut?: boolean;
  /** What the rooms above know of keys, hashes and policies. */
  readonly inspect?: (realm: RealmRepresentation) => readonly SchemaProblem[];
}

/**
 * Everything that is wrong with a realm that does not come from a file: the checks of realm files, without places.
 * @param isShaped true: the schema has been found to hold for it, which takes long for a realm with many users
 */
export function realmProblems(realm: RealmRepresentation, checks: RealmChecks, isShaped = false): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const complain = (path: SchemaProblem['path'], message: string, suggestion?: string) =>
    void problems.push(defined({ path, message, suggestion }));
  checkKeys(realm, complain, []);
  if (!isShaped) {
    const check = compileSchema(FILE_SCHEMA, { shared: SHARED_SCHEMAS });
    if (!check(realm)) return [...problems, ...schemaProblems(check)];
  }
  checkRealm(realm, complain);
  if (realm.users !== undefined) new UserChecks(realm).check(realm, complain);
  checkProviders(realm, checks.providers, complain, { someLeftOut: checks.someLeftOut, isWhole: false });
  return [...problems, ...maskMistakes(realm), ...(checks.inspect?.(realm) ?? [])];
}
