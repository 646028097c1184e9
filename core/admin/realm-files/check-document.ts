import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readJsonDocument } from '../../config/json/json-document.js';
import { byPosition, type Problem } from '../../config/problem.js';
import { readRealm } from '../../config/realm-file/read-realm.js';
import { realmDocumentsIn } from '../../config/realm-file/realm-documents.js';
import { addMissingSecrets } from '../../model/client-secrets.js';
import { type CheckedFile, readingOptions } from '../../realm-files/checked-file.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import { PROBLEMS_SCHEMA, type ProblemRepresentation, problemResponse } from './realm-file-representation.js';

/** The result that an import of a document would have. */
export interface DocumentReport {
  /** Mistakes. A realm with one is not imported, and is not among `realms`. */
  readonly problems: readonly ProblemRepresentation[];
  readonly realms: readonly RealmReport[];
}

interface RealmReport {
  readonly realm: string;
  readonly clients: number;
  readonly groups: number;
  readonly users: number;
  /** Settings and objects without effect, values that are completed or removed, and probable mistakes. */
  readonly warnings: readonly ProblemRepresentation[];
  /** Client IDs of the confidential clients without a secret. An import creates a new secret for each. */
  readonly newSecrets: readonly string[];
}

export const DOCUMENT_REPORT_SCHEMA = {
  type: 'object',
  properties: {
    problems: { ...PROBLEMS_SCHEMA, description: 'Mistakes; a realm with one is not imported.' },
    realms: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          realm: { type: 'string' },
          clients: { type: 'integer' },
          groups: { type: 'integer', description: 'Without subgroups.' },
          users: { type: 'integer' },
          warnings: PROBLEMS_SCHEMA,
          newSecrets: {
            type: 'array',
            items: { type: 'string' },
            description: 'Client IDs of clients without a secret; an import creates one for each.',
          },
        },
      },
    },
  },
} as const;

const REFERENCE = 'write the value: only a file in the realms folder can use a reference';

/**
 * Checks a document as `keyhost realm check` checks a file, before `POST /admin/realms` imports it. References are
 * mistakes, as they are there, and are not resolved, so the report reveals nothing about the host.
 */
export function checkDocument(bytes: Buffer, { dir, checks }: RealmFiles): DocumentReport {
  const read = readJsonDocument(join(dir, 'document'), bytes);
  const represent = (problems: readonly Problem[]) =>
    [...problems].sort(byPosition).map((problem) => {
      const { file: _, ...members } = problemResponse(problem, dir);
      return members;
    });
  if ('problems' in read) return { problems: represent(read.problems), realms: [] };
  const options = { ...readingOptions({ ...checks, production: undefined }), withholdReason: () => REFERENCE };
  const realms: RealmReport[] = [];
  const problems: Problem[] = [];
  for (const main of realmDocumentsIn(read.document)) {
    try {
      const file = readRealm({ main, users: [], hash: createHash('sha256') }, options);
      if (file.withheldReferences.length > 0) problems.push(...file.withheldReferences);
      else realms.push(realmReport(file, represent(file.warnings)));
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (realms.length + problems.length === 0) problems.push(read.document.problem([], 'the list contains no realm'));
  return { problems: represent(problems), realms };
}

function realmReport(
  { representation, users }: Pick<CheckedFile, 'representation' | 'users'>,
  warnings: readonly ProblemRepresentation[],
): RealmReport {
  return {
    realm: representation.realm,
    clients: representation.clients?.length ?? 0,
    groups: representation.groups?.length ?? 0,
    users: users.length,
    warnings,
    newSecrets: addMissingSecrets(representation).clientIds,
  };
}
