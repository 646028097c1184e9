import { HostError } from '@keyhost/spi';
import type { SchemaProblem } from '../config/json/schema-check.js';
import { listPieces } from '../model/list-pieces.js';
import type { RealmRepresentation } from '../model/representation.js';

/**
 * Finds texts that a realm file would read as references: after an export and an import they would reveal a file or a
 * variable.
 */
function referenceProblems(value: unknown, path: readonly string[] = []): SchemaProblem[] {
  if (typeof value === 'string') {
    const message =
      'must not contain a reference such as ${env.NAME} or ${file.PATH}: only realm files can contain references';
    return /\$\{(env|file)\./.test(value) ? [{ path, message }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => referenceProblems(member, [...path, key]));
}

/** Like `referenceProblems` for a realm, and lets other requests run while it reads many users. */
export async function referenceProblemsInPieces({ users, ...realm }: RealmRepresentation): Promise<SchemaProblem[]> {
  const problems = referenceProblems(realm);
  for await (const { first, items } of listPieces(realm.realm, users ?? []))
    problems.push(...items.flatMap((user, index) => referenceProblems(user, ['users', `${first + index}`])));
  return problems;
}

/** Formats a problem without positions in lists, which change if an earlier item is removed. */
export function textOf({ path, message }: SchemaProblem): string {
  return `${path.filter((part) => typeof part === 'string').join('.')} ${message}`;
}

/** Maximum number of problems that the response lists. A change may cause thousands. */
const MAX_LISTED_PROBLEMS = 10;

/** Formats a problem without positions in lists: a caller may be allowed to see only a part of the realm. */
function describeProblem({ path, message, suggestion }: SchemaProblem): string {
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  return `${path.filter((part) => typeof part === 'string').join('.')}: ${message}${hint}`;
}

/** The error for a change that would make a realm invalid. */
export class RealmInvalid extends HostError {
  override readonly name = 'RealmInvalid';
  readonly problems: readonly SchemaProblem[];

  constructor(problems: readonly SchemaProblem[]) {
    super('realm_invalid', problems.slice(0, MAX_LISTED_PROBLEMS).map(describeProblem).join('; '), { status: 400 });
    this.problems = problems;
  }
}

export function idTakenError(id: string | undefined): HostError {
  return new HostError('realm_exists', `Another realm has the ID ${id}`, { status: 409 });
}
