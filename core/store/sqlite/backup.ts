import { once } from 'node:events';
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../config/boot-error.js';
import { messageOf } from '../../model/thrown.js';
import { syncDirectoryOf } from './sync-directory.js';

export interface BackupJob {
  readonly file: string;
  readonly copy: string;
}

/** The messages of the thread: first the number of bytes to copy, then the result. */
export type BackupMessage = { readonly bytes: number } | { readonly done: true } | { readonly failed: string };

const THREAD = new URL('./backup-thread.js', import.meta.url);
const PROGRESS_INTERVAL_MS = 250;

/**
 * Copies the store of a data directory, as a snapshot, into one file that only its owner can read. The process that
 * owns the store continues to read and write. The file gets its final name when it is complete and on disk.
 * @param onProgress called repeatedly with the number of copied bytes and of all bytes
 * @returns the size of the file in bytes
 * @throws BootError `backup_failed`
 */
export async function createBackup(
  dataDir: string,
  to: string,
  onProgress: (copied: number, all: number) => void = () => {},
): Promise<number> {
  const file = join(resolve(dataDir), 'keyhost.db');
  const target = resolve(to);
  if (!existsSync(file)) throw new BootError('backup_failed', `no store found in ${resolve(dataDir)}`);
  refuseExisting(target);
  const copy = `${target}.${process.pid}.part`;
  const removeCopy = () => rmSync(copy, { force: true });
  // If a signal ends the process, delete the incomplete copy.
  process.on('exit', removeCopy);
  try {
    closeSync(openSync(copy, 'wx', 0o600));
    await copyInThread({ file, copy }, onProgress);
    refuseExisting(target);
    renameSync(copy, target);
    syncDirectoryOf(target);
    return statSync(target).size;
  } catch (cause) {
    if (cause instanceof BootError) throw cause;
    throw new BootError('backup_failed', `cannot write ${target}: ${messageOf(cause)}`, { cause });
  } finally {
    removeCopy();
    process.off('exit', removeCopy);
  }
}

function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  throw new BootError('backup_failed', `${target} already exists`, {
    hint: 'nothing was overwritten: choose another file',
  });
}

/** Copies the store in a thread, because SQLite does it in one statement. This thread reports the progress. */
async function copyInThread(job: BackupJob, onProgress: (copied: number, all: number) => void): Promise<void> {
  const worker = new Worker(THREAD, { workerData: job, name: 'keyhost-backup', execArgv: [] });
  let totalBytes = 0;
  let isDone = false;
  let reason = 'its thread ended';
  const timer = setInterval(() => {
    if (totalBytes > 0) onProgress(Math.min(statSync(job.copy).size, totalBytes), totalBytes);
  }, PROGRESS_INTERVAL_MS);
  worker.on('message', (message: BackupMessage) => {
    if ('bytes' in message) totalBytes = message.bytes;
    else if ('failed' in message) reason = message.failed;
    else isDone = true;
  });
  try {
    await once(worker, 'exit');
  } finally {
    clearInterval(timer);
  }
  if (!isDone) throw new BootError('backup_failed', `cannot copy the store ${job.file}: ${reason}`);
}
