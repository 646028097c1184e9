import { setImmediate as turn } from 'node:timers/promises';
import { BootError } from '../boot-error.js';
import type { JsonDocument } from '../json/json-document.js';
import { type ReadRealmOptions, type RealmFile, readRealm } from './read-realm.js';
import { nameInFile, readRealmDocuments } from './realm-documents.js';
import type { RealmFileGroup } from './realm-folder.js';
import { realmRefused } from './realm-refused.js';

/** The valid and the refused realms of one file, or of a main file with its users files. */
export interface RealmFilesResult {
  readonly valid: readonly RealmFile[];
  readonly refused: readonly RefusedRealm[];
}

/** A realm with mistakes, or a file that cannot be read as JSON. */
export interface RefusedRealm {
  /** The realm's name, if known. */
  readonly realm: string | undefined;
  /**
   * `realm_invalid` with every problem at its `file:line:column`; `production_unsafe` if all problems are settings that
   * only production rejects.
   */
  readonly error: BootError;
}

/** One realm of a file: its document, its name if known, and the result or the error of reading it. */
interface RealmReading {
  readonly document: JsonDocument;
  readonly realm: string | undefined;
  readonly outcome: RealmFile | BootError;
}

/**
 * Reads and checks the realms of a file: the syntax, and then each realm separately. A mistake in one hides no mistake
 * in another.
 */
export async function readRealmFiles(group: RealmFileGroup, options: ReadRealmOptions): Promise<RealmFilesResult> {
  const read = await readRealmDocuments(group);
  if ('problems' in read) return { valid: [], refused: [{ realm: undefined, error: realmRefused(read.problems) }] };
  const otherRealms = read.realms.length - 1;
  const outcomes: RealmReading[] = [];
  for (const documents of read.realms) {
    const document = documents.main;
    try {
      const { source, ...checked } = readRealm(documents, options);
      const files = [group.main, ...group.users];
      const file = { ...checked, source: { ...source, files, beside: otherRealms } };
      outcomes.push({ document, realm: file.representation.realm, outcome: file });
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      outcomes.push({ document, realm: nameInFile(document), outcome: error });
    }
    // Allow requests to be served between the realms of a long list.
    if (otherRealms > 0) await turn();
  }
  const repeated = refuseRepeated(outcomes);
  const names = new Set(repeated.map(({ realm }) => realm));
  return {
    valid: outcomes.flatMap(({ outcome, realm }) =>
      outcome instanceof BootError || names.has(realm) ? [] : [outcome],
    ),
    refused: [
      ...outcomes.flatMap(({ outcome, realm }) => (outcome instanceof BootError ? [{ realm, error: outcome }] : [])),
      ...repeated,
    ],
  };
}

/** Refuses all realms of a name that occurs more than once in the list, since it is unknown which one is intended. */
function refuseRepeated(outcomes: readonly RealmReading[]): RefusedRealm[] {
  const documentsByRealm = new Map<string, JsonDocument[]>();
  for (const { document, realm } of outcomes) {
    if (realm !== undefined) documentsByRealm.set(realm, [...(documentsByRealm.get(realm) ?? []), document]);
  }
  return [...documentsByRealm].flatMap(([realm, documents]) =>
    documents.length < 2 ? [] : documents.map((one) => ({ realm, error: repeatedRealmError(realm, one, documents) })),
  );
}

function repeatedRealmError(realm: string, document: JsonDocument, documents: readonly JsonDocument[]): BootError {
  const positions = documents.filter((other) => other !== document).map((other) => other.locate(['realm']));
  const otherPlaces = positions.map(({ line, column }) => `${document.file}:${line}:${column}`).join(' and ');
  return realmRefused([document.problem(['realm'], `the realm "${realm}" is also in ${otherPlaces}`)]);
}
