import type { Problem } from '../config/problem.js';
import type { RealmFileGroup } from '../config/realm-file/realm-folder.js';
import type { CheckedFile } from './checked-file.js';
import type { KnownFiles } from './known-files.js';

/**
 * Assigns the realm to this file, unless it belongs to another file.
 * @returns the problem of this file if the realm belongs to another
 */
export function claimRealm(
  files: KnownFiles,
  realm: string,
  { main: { path } }: RealmFileGroup,
  file?: CheckedFile,
): Problem | undefined {
  const owner = files.claim(realm, path);
  if (owner === undefined) return undefined;
  const place = file?.namePosition ?? { line: 0, column: 0 };
  return { file: path, ...place, path: 'realm', message: `the realm "${realm}" is also in ${owner}` };
}
