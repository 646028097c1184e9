import { readFile } from 'node:fs/promises';
import { realmFilesOf } from '../config/realm-file/realm-folder.js';

/** Larger files, in bytes, are not shown. */
export const SHOWN_FILE_LIMIT = 8 * 1024 * 1024;

/** One file of a realm. */
export interface FileText {
  readonly path: string;
  /** In bytes; -1: it is there and cannot be looked at. */
  readonly size: number;
  /** As it stands there, with a byte order mark, if any; undefined: it is too large, or cannot be read. */
  readonly text: string | undefined;
}

/** The files of the realm that a main file belongs to, the main file first. */
export async function fileTexts(path: string): Promise<readonly FileText[]> {
  const { main, users } = await realmFilesOf(path);
  const texts: FileText[] = [];
  for (const { path: file, size } of [main, ...users]) {
    // One that has gone since it was looked at has no text either: the state says what is wrong with it.
    const bytes = size < 0 || size > SHOWN_FILE_LIMIT ? undefined : await readFile(file).catch(() => undefined);
    texts.push({ path: file, size, text: bytes?.toString() });
  }
  return texts;
}
