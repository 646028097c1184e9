import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import { type JsonDocument, readJsonDocument } from '../../config/json/json-document.js';
import { realmNamed, realmsIn, statedName } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { misused } from '../command-line.js';
import { shown } from '../shown.js';

/** A realm file as it is written, and the realm in it. */
export interface RealmFileText {
  readonly file: string;
  readonly text: string;
  /** The realm alone, where the file has a list of several. */
  readonly document: JsonDocument;
}

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

/** At once, since a host may follow the file; through a link, since it may lead there. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const { mode } = await stat(file);
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, text, { mode });
  await rename(temporary, file);
}
