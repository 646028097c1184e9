import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readJsonDocument } from '../../config/json/json-document.js';
import { byPosition, type Problem } from '../../config/problem.js';
import { readRealm } from '../../config/realm-file/read-realm.js';
import { addMissingSecrets } from '../../model/client-secrets.js';
import { readingOptions } from '../../realm-files/checked-file.js';
import type { RealmFiles } from '../../realm-files/realm-files.js';
import { PROBLEMS_SCHEMA, type ProblemRepresentation, problemResponse } from './realm-file-representation.js';

/** The result that an import of a document would have. */
export interface DocumentReport {
  /** Mistakes, which prevent the import. */
  readonly problems: readonly ProblemRepresentation[];
  /** Absent if there are mistakes. */
  readonly realm?: RealmReport;
}

interface RealmReport {
  readonly name: string;
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
    problems: { ...PROBLEMS_SCHEMA, description: 'Mistakes, which prevent the import.' },
    realm: {
      type: 'object',
      description: 'Absent if there are mistakes.',
      properties: {
        name: { type: 'string' },
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
} as const;

const REFERENCE = 'write the value: only a file in the realms folder can use a reference';

/**
 * Checks the document of a new realm as `keyhost realm check` checks a file, before `POST /admin/realms` imports it.
 * That also checks the passwords of users, and whether the name and the ID are free. References are mistakes, as they
 * are there, and are not resolved, so the report reveals nothing about the host.
 */
export function checkDocument(bytes: Buffer, { dir, checks }: RealmFiles): DocumentReport {
  const represent = (problems: readonly Problem[]) =>
    [...problems].sort(byPosition).map((problem) => {
      const { file: _, ...members } = problemResponse(problem, dir);
      return members;
    });
  const read = readJsonDocument(join(dir, 'document'), bytes);
  if ('problems' in read) return { problems: represent(read.problems) };
  const { document: main } = read;
  if (Array.isArray(main.value))
    return { problems: represent([main.problem([], 'must be one realm, and not a list')]) };
  const options = { ...readingOptions({ ...checks, production: undefined }), withholdReason: () => REFERENCE };
  try {
    const file = readRealm({ main, users: [], hash: createHash('sha256') }, options);
    if (file.withheldReferences.length > 0) return { problems: represent(file.withheldReferences) };
    const { representation, users, warnings } = file;
    const { realm, clients = [], groups = [] } = representation;
    return {
      problems: [],
      realm: {
        name: realm,
        clients: clients.length,
        groups: groups.length,
        users: users.length,
        warnings: represent(warnings),
        newSecrets: addMissingSecrets(representation).clientIds,
      },
    };
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    return { problems: represent(error.problems) };
  }
}
