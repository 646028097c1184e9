import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { codeOf } from '../../model/thrown.js';
import { elementOf, type JsonDocument, readJsonDocument } from '../json/json-document.js';
import type { Problem } from '../problem.js';
import type { FileState, RealmFileGroup } from './realm-folder.js';

/** The documents of one realm: a file with its users files, or one element of a file with a list of realms. */
export interface RealmDocuments {
  readonly main: JsonDocument;
  readonly users: readonly JsonDocument[];
  /**
   * The hash of the files' bytes. For an element of a list, the hash of its JSON, so that the element's position and
   * indentation do not change it.
   */
  readonly hash: Hash;
}

const SIZE_LIMIT = 200 * 1024 * 1024;

/** The realms in a file: one, or the list that `kc.sh export --file` writes. */
export function realmDocumentsIn(document: JsonDocument): readonly JsonDocument[] {
  return Array.isArray(document.value) ? document.value.map((_, index) => elementOf(document, index)) : [document];
}

/** The realm whose name in the file, with references unresolved, is this one. */
export function findRealm(document: JsonDocument, name: string): JsonDocument | undefined {
  return realmDocumentsIn(document).find((one) => nameInFile(one) === name);
}

/** The name of a realm as written, with references unresolved; undefined if it is not a text. */
export function nameInFile({ value }: JsonDocument): string | undefined {
  const { realm } = (value ?? {}) as { realm?: unknown };
  return typeof realm === 'string' ? realm : undefined;
}

/**
 * Reads a realm's files, or the realms of one file.
 * @returns the realms, or the reasons why the files cannot be read
 */
export async function readRealmDocuments(
  group: RealmFileGroup,
): Promise<{ realms: readonly RealmDocuments[] } | { problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const documents: JsonDocument[] = [];
  const hash = createHash('sha256');
  for (const state of [group.main, ...group.users]) {
    const bytes = await readRealmFile(state, problems);
    if (bytes === undefined) continue;
    hash.update(bytes);
    const result = readJsonDocument(state.path, bytes);
    if ('problems' in result) problems.push(...result.problems);
    else documents.push(result.document);
  }
  const [main, ...users] = documents;
  if (problems.length > 0 || main === undefined) return { problems };
  if (!Array.isArray(main.value)) return { realms: [{ main, users, hash }] };
  if (main.value.length === 0) problems.push(main.problem([], 'the list contains no realm'));
  for (const file of users) problems.push(file.problem([], `must be part of the list of realms in ${main.file}`));
  if (problems.length > 0) return { problems };
  return {
    realms: realmDocumentsIn(main).map((element) => ({
      main: element,
      users: [],
      hash: createHash('sha256').update(JSON.stringify(element.value)),
    })),
  };
}

async function readRealmFile({ path, size }: FileState, problems: Problem[]): Promise<Buffer | undefined> {
  if (size > SIZE_LIMIT) {
    problems.push({ file: path, line: 0, column: 0, path: '', message: 'the file is larger than 200 MiB' });
    return undefined;
  }
  try {
    return await readFile(path);
  } catch (error) {
    problems.push(unreadableFile(path, error));
    return undefined;
  }
}

function unreadableFile(file: string, error: unknown): Problem {
  const code = codeOf(error);
  const message = code === 'EISDIR' ? 'is a folder: name one realm file' : `cannot read the file (${code})`;
  return { file, line: 0, column: 0, path: '', message };
}
