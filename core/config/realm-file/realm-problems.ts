import { defined } from '../../model/defined.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import { maskedSecretProblems } from './masked-secrets.js';
import { checkProviders, type ProviderSchema } from './provider-checks.js';
import { checkRealm, UserChecks } from './realm-checks.js';
import { checkKeys } from './realm-key-checks.js';
import { FILE_SCHEMA } from './schema/file-schema.js';
import { SHARED_SCHEMAS } from './schema/realm-schema.js';

export interface RealmChecks {
  readonly providers: readonly ProviderSchema[];
  /** True if an optional plugin could not be loaded: an unknown name may be one of its providers. */
  readonly hasLeftOutPlugin?: boolean;
  /** Checks of keys, hashes and policies, by modules that depend on this one. */
  readonly furtherProblems?: (realm: RealmRepresentation) => readonly SchemaProblem[];
}

/**
 * Finds all problems of a realm that is not from a file: the checks of realm files, without positions.
 * @param isShaped true if the realm is known to match the schema, since that check takes long with many users
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
  checkProviders(realm, checks.providers, complain, { hasLeftOutPlugin: checks.hasLeftOutPlugin, isWhole: false });
  return [...problems, ...maskedSecretProblems(realm), ...(checks.furtherProblems?.(realm) ?? [])];
}
