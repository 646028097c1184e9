import { isAbsolute, relative } from 'node:path';
import type { Problem } from '../../config/problem.js';
import { defined } from '../../model/defined.js';
import type { RealmFileState } from '../../realm-files/realm-file-state.js';

/** A problem of a realm file, as the Admin REST API returns it. */
export interface ProblemRepresentation {
  /** Relative to the realms folder. Absent if the document was sent in the request. */
  readonly file?: string;
  /** Starts at 1. 0 if the problem concerns the whole file. */
  readonly line: number;
  readonly column: number;
  /** A JSON Pointer (RFC 6901) from the root of the file. */
  readonly pointer: string;
  /** The path in readable form, such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
}

const PROBLEM_SCHEMA = {
  type: 'object',
  properties: {
    file: { type: 'string', description: 'Relative to the realms folder; absent for a document of the request.' },
    line: { type: 'integer', description: 'Starts at 1; 0: the whole file.' },
    column: { type: 'integer' },
    pointer: { type: 'string', description: 'RFC 6901.' },
    path: { type: 'string' },
    message: { type: 'string' },
    suggestion: { type: 'string' },
  },
} as const;

export const PROBLEMS_SCHEMA = { type: 'array', items: PROBLEM_SCHEMA } as const;

const TEXTS_SCHEMA = { type: 'array', items: { type: 'string' } } as const;

export const STATE_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the main file, relative to the realms folder.' },
    realm: { type: 'string' },
    state: { enum: ['applied', 'drifted', 'invalid'] },
    version: { type: 'integer', description: 'Version of the live realm.' },
    since: { type: 'string', format: 'date-time', description: 'When the file was applied, or found to be invalid.' },
    problems: PROBLEMS_SCHEMA,
    conflicts: {
      ...TEXTS_SCHEMA,
      description: 'Settings that both the file and an edit changed when it was last applied.',
    },
    edits: { ...TEXTS_SCHEMA, description: 'Differences between the live realm and its file.' },
  },
} as const;

/** Describes a file and its state. @param dir the realms folder */
export function stateResponse({ path, at, problems, ...state }: RealmFileState, dir: string) {
  return defined({
    path: relative(dir, path),
    ...state,
    since: at,
    problems: problems.map((problem) => problemResponse(problem, dir)),
  });
}

/** Describes a problem. @param dir the realms folder */
export function problemResponse(
  { file, line, column, path, message, suggestion }: Problem,
  dir: string,
): ProblemRepresentation {
  const relativePath = relative(dir, file);
  return defined({
    file: isAbsolute(relativePath) || relativePath.startsWith('..') ? undefined : relativePath,
    line,
    column,
    pointer: toJsonPointer(path),
    path,
    message,
    suggestion,
  });
}

/** Converts a path such as `clients[2].config["a.b"]` to a JSON Pointer. */
function toJsonPointer(path: string): string {
  return [...path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)]
    .map(([, index, quoted, name]) => index ?? (quoted === undefined ? (name ?? '') : String(JSON.parse(quoted))))
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
