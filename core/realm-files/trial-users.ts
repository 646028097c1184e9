import { findRealmFiles } from '../config/realm-file/realm-folder.js';
import { type FileChecks, readCheckedFiles } from './checked-file.js';

/** A user to try a realm with. */
export interface TrialUser {
  readonly username: string;
  readonly password: string;
}

/** Larger files, in bytes, are no demonstration: they are not read for this. */
const SIZE_LIMIT = 1024 * 1024;
/** Realm files that are read for this. */
const FILE_LIMIT = 20;
/** Users that are told of one realm. */
const USER_LIMIT = 8;

/**
 * The users that realm files give a password in plain text, by realm: those of a trial. It is the password that the user began
 * with; whoever changed it since knows the new one.
 */
export async function trialUsers(dir: string, checks: FileChecks): Promise<ReadonlyMap<string, readonly TrialUser[]>> {
  const found = new Map<string, readonly TrialUser[]>();
  const groups = (await findRealmFiles(dir)).filter(({ main, users }) =>
    [main, ...users].every(({ size }) => size >= 0 && size <= SIZE_LIMIT),
  );
  for (const group of groups.slice(0, FILE_LIMIT)) {
    // A file with mistakes is told of by whoever applies it; until then it tells of no users.
    for (const file of (await readCheckedFiles(group, checks)).good) {
      const users = file.users.flatMap(({ username, enabled, credentials }) => {
        const password = credentials?.find(({ type, value }) => type === 'password' && value !== undefined)?.value;
        return password === undefined || enabled === false ? [] : [{ username, password }];
      });
      if (users.length > 0) found.set(file.representation.realm, users.slice(0, USER_LIMIT));
    }
  }
  return found;
}
