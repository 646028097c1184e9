import { defined } from '../../model/defined.js';
import { ITEMS_PER_PIECE, listPieces, pathInList } from '../../model/list-pieces.js';
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
  /** The part of `furtherProblems` that concerns users. It gets a realm that has users and nothing else. */
  readonly furtherUserProblems?: (realm: RealmRepresentation) => readonly SchemaProblem[];
}

interface Findings {
  readonly problems: SchemaProblem[];
  /** False if the realm does not match the schema. Then the other checks were skipped. */
  readonly isShaped: boolean;
}

/**
 * Finds all problems of a realm that is not from a file: the checks of realm files, without positions.
 * @param isShaped true if the realm is known to match the schema, since that check takes long with many users
 */
export function realmProblems(realm: RealmRepresentation, checks: RealmChecks, isShaped = false): SchemaProblem[] {
  return findProblems(realm, checks, isShaped, () => new UserChecks(realm)).problems;
}

/** Like `realmProblems`, and lets other requests run while it checks many users. */
export async function realmProblemsInPieces(
  realm: RealmRepresentation,
  checks: RealmChecks,
  isShaped = false,
): Promise<SchemaProblem[]> {
  const { users = [], ...others } = realm;
  if (users.length <= ITEMS_PER_PIECE) return realmProblems(realm, checks, isShaped);
  const withoutUsers = others as RealmRepresentation;
  const { problems, isShaped: mayHaveUsers } = findProblems(withoutUsers, checks, isShaped);
  if (!mayHaveUsers) return problems;
  const userChecks = new UserChecks(withoutUsers);
  const checksOfPiece: RealmChecks = {
    providers: checks.providers,
    ...defined({ hasLeftOutPlugin: checks.hasLeftOutPlugin, furtherProblems: checks.furtherUserProblems }),
  };
  for await (const { first, items } of listPieces(realm.realm, users)) {
    const piece = { realm: realm.realm, users: items };
    const found = findProblems(piece, checksOfPiece, isShaped, () => userChecks).problems;
    problems.push(...found.map((problem) => ({ ...problem, path: pathInList(problem.path, 'users', first) })));
  }
  return problems;
}

function findProblems(
  realm: RealmRepresentation,
  checks: RealmChecks,
  isShaped: boolean,
  userChecks?: () => UserChecks,
): Findings {
  const problems: SchemaProblem[] = [];
  const complain = (path: SchemaProblem['path'], message: string, suggestion?: string) =>
    void problems.push(defined({ path, message, suggestion }));
  checkKeys(realm, complain, []);
  if (!isShaped) {
    const check = compileSchema(FILE_SCHEMA, { shared: SHARED_SCHEMAS });
    if (!check(realm)) return { problems: [...problems, ...schemaProblems(check)], isShaped: false };
  }
  checkRealm(realm, complain);
  if (realm.users !== undefined) userChecks?.().check(realm, complain);
  checkProviders(realm, checks.providers, complain, { hasLeftOutPlugin: checks.hasLeftOutPlugin, isWhole: false });
  problems.push(...maskedSecretProblems(realm), ...(checks.furtherProblems?.(realm) ?? []));
  return { problems, isShaped: true };
}
