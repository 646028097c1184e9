import { BootError, type BootErrorCode } from '../config/boot-error.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';

/** SQLite's primary result code for a full disk. */
const SQLITE_FULL = 13;

/** What the operating system refuses and a person can mend: the end of a sentence, and what to do. */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['the disk is full', 'free some space, or set --data-dir to a folder on another disk'],
  EDQUOT: ['the disk quota is used up', 'free some space, or set --data-dir to a folder on another disk'],
  EACCES: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EPERM: ['permission denied', 'give the user that runs Keyhost read and write access, or use another folder'],
  EROFS: ['the file system is read-only', 'set --data-dir to a writable folder'],
  EMFILE: ['too many files are open', 'raise the limit of open files (ulimit -n)'],
};

/** Failures of a start that say nothing of why they came about. */
const ABOUT_FILES: readonly BootErrorCode[] = ['store_failed', 'realm_invalid'];

/** The report of a refusal of the operating system that stands anywhere among an error's causes; undefined where none does. */
export function systemFailure(error: unknown): string | undefined {
  // Others have said what was refused, and to whom: a port, a plugin.
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

/** SQLite's word, or the sentence that is left of it when it has crossed from the writer's thread. */
function isFull(cause: object): boolean {
  const [number, code] = [memberOf(cause, 'errcode'), codeOf(cause)];
  if (typeof number === 'number' && (number & 0xff) === SQLITE_FULL) return true;
  return (code === 'store_unavailable' || code === 'store_failed') && /disk is full/.test(messageOf(cause));
}
