import { BootError, type BootErrorCode } from '../config/boot-error.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';

/** SQLite's primary result code for a full disk. */
const SQLITE_FULL = 13;

/** Refusals of the operating system that an operator can fix: the end of a sentence, and a hint. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['the disk is full', 'free some space, or set --data-dir to a folder on another disk'],
  EDQUOT: ['the disk quota is used up', 'free some space, or set --data-dir to a folder on another disk'],
  EACCES: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EPERM: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EROFS: ['the file system is read-only', 'set --data-dir to a writable folder'],
  EMFILE: ['too many files are open', 'raise the limit of open files (ulimit -n)'],
};

/** Boot errors whose message does not include the operating system's reason. */
const ABOUT_FILES: readonly BootErrorCode[] = ['store_failed', 'realm_invalid'];

/** The report of a refusal by the operating system among an error's causes; undefined if there is none. */
export function systemFailure(error: unknown): string | undefined {
  // Other errors already report what was refused, for example a port or a plugin.
  if (error instanceof BootError && !ABOUT_FILES.includes(error.code)) return undefined;
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = memberOf(cause, 'cause')) {
    const code = isFull(cause) ? 'ENOSPC' : (codeOf(cause) ?? '');
    const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    if (refusal === undefined) continue;
    const [reason, hint] = refusal;
    const what =
      error instanceof BootError ? error.message : `cannot use ${String(memberOf(cause, 'path') ?? 'the store')}`;
    return `keyhost: ${what}: ${reason}${error instanceof BootError ? ` [${error.code}]` : ''}\n  → ${hint}`;
  }
  return undefined;
}

/** SQLite's result code, or its message if the error comes from the writer's thread. */
function isFull(cause: object): boolean {
  const number = memberOf(cause, 'errcode');
  const code = codeOf(cause);
  if (typeof number === 'number' && (number & 0xff) === SQLITE_FULL) return true;
  return (code === 'store_unavailable' || code === 'store_failed') && /disk is full/.test(messageOf(cause));
}
