import type { RealmRepresentation } from '../../model/representation.js';
import { type RealmDocuments, readRealmDocuments } from './realm-documents.js';
import { addFiles, type FileState, type RealmFileGroup } from './realm-folder.js';
import { type ResolvedText, resolveReferences } from './references.js';

/** The hashes of realm files, which include the values of their references. */
export interface RealmHashes {
  /** The `source.hash` that `readRealmFiles` would compute, by realm. */
  readonly hashes: ReadonlyMap<string, string>;
  /** True if a reference used its default. */
  readonly usesDefaults: boolean;
  /** Files that references read, with their state before reading. */
  readonly files: readonly FileState[];
}

/** Adds the value of a reference to the hash of its realm. */
export function hashReference(hash: RealmDocuments['hash'], { text, value }: ResolvedText): void {
  hash.update(`\0${text}\0${value}`);
}

/** Reads realm files and resolves their references, without checking the realms. @returns undefined if that fails */
export async function realmHashes(
  group: RealmFileGroup,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RealmHashes | undefined> {
  const read = await readRealmDocuments(group);
  if ('problems' in read) return undefined;
  const hashes = new Map<string, string>();
  const files = new Map<string, FileState>();
  let usesDefaults = false;
  for (const { main, users, hash } of read.realms) {
    let realm: string | undefined;
    for (const document of [main, ...users]) {
      const resolved = resolveReferences(document.value, { file: document.file, env });
      if (resolved.problems.length > 0) return undefined;
      for (const one of resolved.resolvedTexts) hashReference(hash, one);
      addFiles(files, resolved.files);
      usesDefaults ||= resolved.defaultedReferences.length > 0;
      realm ??= (resolved.value as RealmRepresentation | null)?.realm;
    }
    if (realm !== undefined) hashes.set(realm, hash.digest('base64url'));
  }
  return { hashes, usesDefaults, files: [...files.values()] };
}
