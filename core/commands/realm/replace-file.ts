import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';
import { displayPath } from '../display-path.js';

/**
 * The time to wait for the draft of another command, in milliseconds. Writing takes less, so an older draft was
 * abandoned.
 */
const WAIT_MS = 2_000;
const POLL_MS = 10;

/**
 * Replaces a file, or the target of a link, atomically, since a host may watch it. All commands use the same name for
 * the draft, so only one can write at a time.
 * @param text.from the text that was read
 * @returns false if the file no longer has that text; then nothing is written
 * @throws BootError `realm_invalid` if the draft of another command exists for too long
 */
export async function replaceFile(path: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const file = await realpath(path);
  const draft = `${file}.new`;
  await claimDraft(draft, (await stat(file)).mode);
  try {
    await writeFile(draft, to);
    if ((await readFile(file, 'utf8')) === from) {
      await rename(draft, file);
      return true;
    }
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rm(draft, { force: true });
  return false;
}

/** Creates the draft as soon as no other command has one. */
async function claimDraft(draft: string, mode: number): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    try {
      return await writeFile(draft, '', { mode, flag: 'wx' });
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause;
      if (waited < WAIT_MS) await sleep(POLL_MS);
      else {
        throw new BootError('realm_invalid', `another command is writing ${displayPath(draft)}`, {
          hint: 'if no other command runs, delete this file, and run the command again',
          cause,
        });
      }
    }
  }
}
