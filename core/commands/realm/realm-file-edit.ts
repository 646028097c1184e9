import { readFile } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import { type JsonDocument, readJsonDocument } from '../../config/json/json-document.js';
import { realmNamed, realmsIn, statedName } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { misused } from '../command-line.js';
import { shown } from '../shown.js';
import { replaceFile } from './replace-file.js';

/** A realm file as it is written, and the realm in it. */
export interface RealmFileText {
  readonly file: string;
  readonly text: string;
  /** The realm alone, where the file has a list of several. */
  readonly document: JsonDocument;
}

/** Each time that an edit is made anew, somebody else has written the file. */
const TRIES = 50;

/** @throws BootError `realm_invalid` where a file is no JSON, `options_invalid` where none has the realm */
export async function fileOfRealm(realm: string, dir: string): Promise<RealmFileText> {
  const names: string[] = [];
  for (const { main } of await findRealmFiles(dir)) {
    const bytes = await readFile(main.path);
    const read = readJsonDocument(main.path, bytes);
    if ('problems' in read) {
      // Its realm cannot be known: it may be the one that is meant.
      throw new BootError('realm_invalid', `${shown(main.path)} is not valid JSON`, { problems: read.problems });
    }
    const document = realmNamed(read.document, realm);
    if (document !== undefined) return { file: main.path, text: bytes.toString(), document };
    names.push(...realmsIn(read.document).map((one) => String(statedName(one))));
  }
  return misused(
    `no file in ${shown(dir)} defines the realm "${realm}"`,
    names.length === 0 ? 'the folder contains no realm files' : `they define ${names.join(', ')}`,
  );
}

/**
 * Edits the file of a realm. What others write meanwhile stays: the edit is then made anew, of their text.
 * @param edit the new text
 * @returns the file as it was read, and the text that it has now
 * @throws BootError as `fileOfRealm` and `replaceFile` do, and `realm_invalid` where others write it again and again
 */
export async function editRealmFile(
  { realm, dir }: { realm: string; dir: string },
  edit: (read: RealmFileText) => string | Promise<string>,
): Promise<{ readonly read: RealmFileText; readonly text: string }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const read = await fileOfRealm(realm, dir);
    const text = await edit(read);
    if (text === read.text || (await replaceFile(read.file, { from: read.text, to: text }))) return { read, text };
  }
  throw new BootError('realm_invalid', `others keep changing the file of the realm ${realm}`, {
    hint: 'nothing is written: run the command again',
  });
}
