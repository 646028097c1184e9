import type { RealmRepresentation } from '../../model/representation.js';
import { type RealmDocuments, readRealmDocuments } from './realm-documents.js';
import { addFiles, type FileState, type RealmFileGroup } from './realm-folder.js';
import { type ResolvedText, resolveReferences } from './references.js';

/** What realm files say, with what their references bring in. */
export interface RealmHashes {
  /** By realm: the `source.hash` that reading and checking it would come to. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Whether a reference fell to its default. */
  readonly defaulted: boolean;
  /** Files that references read, as they were before. */
  readonly files: readonly FileState[];
}

/** Adds what a reference brings in to the hash of its realm. */
export function hashReference(hash: RealmDocuments['hash'], { text, value }: ResolvedText): void {
  hash.update(`\0${text}\0${value}`);
}

/** Reads realm files and resolves their references, and checks nothing. @returns undefined where it cannot be done */
export async function realmHashes(
  group: RealmFileGroup,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RealmHashes | undefined> {
  const read = await readRealmDocuments(group);
  if ('problems' in read) return undefined;
  const hashes = new Map<string, string>();
  const files = new Map<string, FileState>();
  let defaulted = false;
  for (const { main, users, hash } of read.realms) {
    let realm: string | undefined;
    for (const document of [main, ...users]) {
      const resolved = resolveReferences(document.value, { file: document.file, env });
      if (resolved.problems.length > 0) return undefined;
      for (const one of resolved.resolved) hashReference(hash, one);
      addFiles(files, resolved.files);
      defaulted ||= resolved.defaulted.length > 0;
      realm ??= (resolved.value as RealmRepresentation | null)?.realm;
    }
    if (realm !== undefined) hashes.set(realm, hash.digest('base64url'));
  }
  return { hashes, defaulted, files: [...files.values()] };
}
