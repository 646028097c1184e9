import { readFile, writeFile } from 'node:fs/promises';
import { OptionError } from '../options.js';

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** @throws OptionError when the file has no place for a table: better before the bench than after it */
export async function checkMarks(file: string): Promise<void> {
  placeIn(await textOf(file), file);
}

/** Puts the text in place of the one between the marks. */
export async function replaceMarked(file: string, text: string): Promise<void> {
  const before = await textOf(file);
  const { begin, end } = placeIn(before, file);
  await writeFile(file, `${before.slice(0, begin)}\n\n${text.trim()}\n\n${before.slice(end)}`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new OptionError(`--write ${file}: it cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}

function placeIn(text: string, file: string): { begin: number; end: number } {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new OptionError(`--write ${file}: it has no ${BEGIN} with ${END} after it`);
  return { begin: begin + BEGIN.length, end };
}
