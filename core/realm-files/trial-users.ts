import { findRealmFiles } from '../config/realm-file/realm-folder.js';
import { type FileChecks, readCheckedFiles } from './checked-file.js';

/** A user to try a realm with. */
export interface TrialUser {
  readonly username: string;
  readonly password: string;
}

/** Files larger than this, in bytes, are not read here: they are no demonstration. */
const SIZE_LIMIT = 1024 * 1024;
/** The maximum number of realm files that are read here. */
const FILE_LIMIT = 20;
/** The maximum number of users that are listed for one realm. */
const USER_LIMIT = 8;

/**
 * Lists the users to whom realm files give a plain-text password, by realm. It is the initial password: a user may have
 * changed it since.
 */
export async function listTrialUsers(
  dir: string,
  checks: FileChecks,
): Promise<ReadonlyMap<string, readonly TrialUser[]>> {
  const found = new Map<string, readonly TrialUser[]>();
  const groups = (await findRealmFiles(dir)).filter(({ main, users }) =>
    [main, ...users].every(({ size }) => size >= 0 && size <= SIZE_LIMIT),
  );
  for (const group of groups.slice(0, FILE_LIMIT)) {
    // Skip files with mistakes: the code that applies them reports these.
    for (const file of (await readCheckedFiles(group, checks)).accepted) {
      const users = file.users.flatMap(({ username, enabled, credentials }) => {
        const password = credentials?.find(({ type, value }) => type === 'password' && value !== undefined)?.value;
        return password === undefined || enabled === false ? [] : [{ username, password }];
      });
      if (users.length > 0) found.set(file.representation.realm, users.slice(0, USER_LIMIT));
    }
  }
  return found;
}
