import { BootError, type BootErrorCode } from '../config/boot-error.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';

/** SQLite's primary result code for a full disk. */
const SQLITE_FULL = 13;

/** Errors of the operating system that an operator can fix: the reason as the end of a sentence, and a hint. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['the disk is full', 'free some space, or set --data-dir to a folder on another disk'],
  EDQUOT: ['the disk quota is used up', 'free some space, or set --data-dir to a folder on another disk'],
  EACCES: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EPERM: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EROFS: ['the file system is read-only', 'set --data-dir to a writable folder'],
  EMFILE: ['too many files are open', 'raise the limit of open files (ulimit -n)'],
};

/** Boot errors whose message does not contain the reason of the operating system. */
const FILE_ERROR_CODES: readonly BootErrorCode[] = ['store_failed', 'realm_invalid'];

/** Returns a report if the operating system has caused the error or one of its causes; undefined otherwise. */
export function describeSystemFailure(error: unknown): string | undefined {
  // Other boot errors already report what has failed, such as opening a port or a plugin.
  if (error instanceof BootError && !FILE_ERROR_CODES.includes(error.code)) return undefined;
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = memberOf(cause, 'cause')) {
    const code = isDiskFull(cause) ? 'ENOSPC' : (codeOf(cause) ?? '');
    const description = Object.hasOwn(SYSTEM_ERRORS, code) ? SYSTEM_ERRORS[code] : undefined;
    if (description === undefined) continue;
    const [reason, hint] = description;
    const problem =
      error instanceof BootError ? error.message : `cannot use ${String(memberOf(cause, 'path') ?? 'the store')}`;
    return `keyhost: ${problem}: ${reason}${error instanceof BootError ? ` [${error.code}]` : ''}\n  → ${hint}`;
  }
  return undefined;
}

/** True for SQLite's result code, or for its message if the error comes from the writer's thread. */
function isDiskFull(cause: object): boolean {
  const resultCode = memberOf(cause, 'errcode');
  const code = codeOf(cause);
  if (typeof resultCode === 'number' && (resultCode & 0xff) === SQLITE_FULL) return true;
  return (code === 'store_unavailable' || code === 'store_failed') && /disk is full/.test(messageOf(cause));
}
