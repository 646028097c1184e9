import { isAbsolute, relative } from 'node:path';
import type { Problem } from '../../config/problem.js';
import { defined } from '../../model/defined.js';
import type { RealmFileState } from '../../realm-files/realm-file-state.js';

/** A mistake in the Admin REST API. */
export interface ProblemRepresentation {
  /** Relative to the realms folder; absent for a document of the request. */
  readonly file?: string;
  /** From 1; 0 if the mistake concerns the whole file. */
  readonly line: number;
  readonly column: number;
  /** RFC 6901, from the root of the file. */
  readonly pointer: string;
  /** Such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
}

const PROBLEM = {
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

export const PROBLEMS = { type: 'array', items: PROBLEM } as const;

const TEXTS = { type: 'array', items: { type: 'string' } } as const;

export const STATE = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the main file, relative to the realms folder.' },
    realm: { type: 'string' },
    state: { enum: ['applied', 'drifted', 'invalid'] },
    version: { type: 'integer', description: 'Version of the live realm.' },
    since: { type: 'string', format: 'date-time', description: 'When the file was applied, or found to be invalid.' },
    problems: PROBLEMS,
    conflicts: { ...TEXTS, description: 'Settings that both the file and an edit changed when it was last applied.' },
    edits: { ...TEXTS, description: 'Differences between the live realm and its file.' },
  },
} as const;

/** A file and its state, for the API. @param dir the realms folder */
export function stateResponse({ path, at, problems, ...state }: RealmFileState, dir: string) {
  return defined({
    path: relative(dir, path),
    ...state,
    since: at,
    problems: problems.map((problem) => problemResponse(problem, dir)),
  });
}

/** @param dir the realms folder */
export function problemResponse(
  { file, line, column, path, message, suggestion }: Problem,
  dir: string,
): ProblemRepresentation {
  const inside = relative(dir, file);
  return defined({
    file: isAbsolute(inside) || inside.startsWith('..') ? undefined : inside,
    line,
    column,
    pointer: pointerOf(path),
    path,
    message,
    suggestion,
  });
}

/** The JSON pointer of a path such as `clients[2].config["a.b"]`. */
function pointerOf(path: string): string {
  return [...path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)]
    .map(([, index, quoted, name]) => index ?? (quoted === undefined ? (name ?? '') : String(JSON.parse(quoted))))
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
