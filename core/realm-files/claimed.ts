import type { Problem } from '../config/problem.js';
import type { RealmFileGroup } from '../config/realm-file/realm-folder.js';
import type { CheckedFile } from './checked-file.js';
import type { KnownFiles } from './known-files.js';

/**
 * Makes the realm this file's, unless another file has it already.
 * @returns the problem of this file, where another one has the realm
 */
export function claimed(
  files: KnownFiles,
  realm: string,
  { main: { path } }: RealmFileGroup,
  file?: CheckedFile,
): Problem | undefined {
  const owner = files.claim(realm, path);
  if (owner === undefined) return undefined;
  const place = file?.nameAt ?? { line: 0, column: 0 };
  return { file: path, ...place, path: 'realm', message: `the realm "${realm}" is also in ${owner}` };
}
