import { readFile } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import { type JsonDocument, readJsonDocument } from '../../config/json/json-document.js';
import { findRealm, nameInFile, realmDocumentsIn } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { usageError } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { replaceFile } from './replace-file.js';

/** The text of a realm file, and the document of one realm in it. */
export interface RealmFileText {
  readonly file: string;
  readonly text: string;
  /** The realm's element if the file has a list of realms, and otherwise the whole file. */
  readonly document: JsonDocument;
}

/** The maximum number of tries. A try fails if another program changed the file. */
const MAX_TRIES = 50;

/** @throws BootError `realm_invalid` if a file is not valid JSON, `options_invalid` if none has the realm */
export async function fileOfRealm(realm: string, dir: string): Promise<RealmFileText> {
  const names: string[] = [];
  for (const { main } of await findRealmFiles(dir)) {
    const bytes = await readFile(main.path);
    const read = readJsonDocument(main.path, bytes);
    if ('problems' in read) {
      // This may be the file of the realm.
      throw new BootError('realm_invalid', `${displayPath(main.path)} is not valid JSON`, { problems: read.problems });
    }
    const document = findRealm(read.document, realm);
    if (document !== undefined) return { file: main.path, text: bytes.toString(), document };
    names.push(...realmDocumentsIn(read.document).map((one) => String(nameInFile(one))));
  }
  return usageError(
    `no file in ${displayPath(dir)} defines the realm "${realm}"`,
    names.length === 0 ? 'the folder contains no realm files' : `they define ${names.join(', ')}`,
  );
}

/**
 * Edits the file of a realm. If another program changes it at the same time, the edit is repeated on the new text.
 * @param edit returns the new text
 * @returns the file as it was read, and its new text
 * @throws BootError as `fileOfRealm` and `replaceFile` do, and `realm_invalid` if every try fails
 */
export async function editRealmFile(
  { realm, dir }: { realm: string; dir: string },
  edit: (read: RealmFileText) => string | Promise<string>,
): Promise<{ readonly read: RealmFileText; readonly text: string }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const read = await fileOfRealm(realm, dir);
    const text = await edit(read);
    if (text === read.text || (await replaceFile(read.file, { from: read.text, to: text }))) return { read, text };
  }
  throw new BootError('realm_invalid', `others keep changing the file of the realm ${realm}`, {
    hint: 'nothing is written: run the command again',
  });
}
