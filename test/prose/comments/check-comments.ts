import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../helpers/readme-blocks.js';
import { commentFiles } from './comment-files.js';
import { type CommentFault, lintComments } from './lint-comments.js';

/** How many faults of a pattern the comments of a folder may have: folder, then name of the pattern. */
export type CommentCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface FileFault extends CommentFault {
  readonly file: string;
}

const COUNTS = join(ROOT, 'test/prose/comments/comment-counts.json');

/**
 * Checks the comments of all source files. A counted fault is reported if its folder has more of them than
 * `comment-counts.json` allows. The report then has all of that folder: the count does not show which one is new.
 *
 * @param files reports faults of these alone; empty: all
 * @returns a line for each fault: `file:line:column  message (pattern)`
 */
export async function checkComments(files: readonly string[] = []): Promise<string[]> {
  const { refused, counted } = await commentFaults();
  const allowed = JSON.parse(await readFile(COUNTS, 'utf8')) as CommentCounts;
  return [...refused, ...grownFaults(counted, allowed)]
    .filter(({ file }) => files.length === 0 || files.includes(file))
    .map(({ file, line, column, message, name }) => `${file}:${line}:${column}  ${message} (${name})`);
}

/**
 * Writes the present numbers to `comment-counts.json`: for `npm run prose -- --lower`, after comments became better.
 */
export async function lowerCounts(): Promise<void> {
  const { counted } = await commentFaults();
  const folders = [...byFolder(counted)].map(([folder, faults]) => [folder, countByName(faults)] as const);
  await writeFile(COUNTS, `${JSON.stringify(Object.fromEntries(folders), undefined, 2)}\n`);
}

/**
 * @returns the counted faults of each folder and pattern that has more than are allowed, with the limit in the message
 */
export function grownFaults(counted: readonly FileFault[], allowed: CommentCounts): FileFault[] {
  return [...byFolder(counted)].flatMap(([folder, faults]) => {
    const counts = countByName(faults);
    return faults
      .filter(({ name }) => (counts[name] ?? 0) > (allowed[folder]?.[name] ?? 0))
      .map((fault) => {
        const limit = allowed[folder]?.[fault.name] ?? 0;
        return {
          ...fault,
          message: `${fault.message} ${folder} has ${counts[fault.name]} of these, ${limit} allowed.`,
        };
      });
  });
}

async function commentFaults() {
  const refused: FileFault[] = [];
  const counted: FileFault[] = [];
  for (const file of await commentFiles()) {
    const faults = lintComments(await readFile(join(ROOT, file), 'utf8'), file);
    refused.push(...faults.refused.map((fault) => ({ ...fault, file })));
    counted.push(...faults.counted.map((fault) => ({ ...fault, file })));
  }
  return { refused, counted };
}

/** A folder is the first two names of the path, as `core/login`. */
function byFolder(faults: readonly FileFault[]): ReadonlyMap<string, FileFault[]> {
  const folders = new Map<string, FileFault[]>();
  for (const fault of faults) {
    const folder = fault.file.split('/').slice(0, 2).join('/');
    const faultsOfFolder = folders.get(folder);
    if (faultsOfFolder === undefined) folders.set(folder, [fault]);
    else faultsOfFolder.push(fault);
  }
  return folders;
}

function countByName(faults: readonly FileFault[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of faults.map((fault) => fault.name).sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
