import { readFile } from 'node:fs/promises';
import { realmFilesOf } from '../config/realm-file/realm-folder.js';

/** Files larger than this, in bytes, are not shown. */
export const MAX_SHOWN_BYTES = 8 * 1024 * 1024;

/** One file of a realm. */
export interface FileText {
  readonly path: string;
  /** In bytes; -1 if the file exists and cannot be examined. */
  readonly size: number;
  /** The content, with its byte order mark, if any; undefined if it is too large or unreadable. */
  readonly text: string | undefined;
}

/** The files of the realm that a main file belongs to, the main file first. */
export async function readFileTexts(path: string): Promise<readonly FileText[]> {
  const { main, users } = await realmFilesOf(path);
  const texts: FileText[] = [];
  for (const { path: file, size } of [main, ...users]) {
    // A file that was deleted meanwhile has no text either; its state reports the problem.
    const bytes = size < 0 || size > MAX_SHOWN_BYTES ? undefined : await readFile(file).catch(() => undefined);
    texts.push({ path: file, size, text: bytes?.toString() });
  }
  return texts;
}
