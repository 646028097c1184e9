import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';

/** How commands reach the host that owns a data directory: only its owner can read the file. */
export interface ManagementAccess {
  /** The address of the management port. */
  readonly url: string;
  /** What it takes commands with. */
  readonly secret: string;
  /** The public address of the server, which issuers start with. */
  readonly server: string;
}

/** A host that stands still for longer is none that answers, in milliseconds. */
const ANSWER_MS = 5_000;

const file = (dataDir: string) => join(dataDir, 'management.json');

/** @returns what takes it away again */
export async function writeManagementAccess(dataDir: string, access: ManagementAccess): Promise<() => Promise<void>> {
  // A file that an earlier host left keeps the mode it has: another one is made.
  await rm(file(dataDir), { force: true });
  await writeFile(file(dataDir), JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return () => rm(file(dataDir), { force: true });
}

/** @throws BootError `options_invalid` when no host has left its address there */
export async function readManagementAccess(dataDir: string): Promise<ManagementAccess> {
  try {
    return JSON.parse(await readFile(file(dataDir), 'utf8')) as ManagementAccess;
  } catch (cause) {
    throw noHost(dataDir, cause);
  }
}

/** The access to the host that answers for a data directory; undefined where none does. A kill leaves the file behind. */
export async function runningAccess(dataDir: string): Promise<ManagementAccess | undefined> {
  try {
    const access = await readManagementAccess(dataDir);
    await fetch(`${access.url}/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return access;
  } catch {
    return undefined;
  }
}

/** No host answers for a data directory. */
export function noHost(dataDir: string, cause: unknown): BootError {
  return new BootError('options_invalid', `no running server uses the data directory ${dataDir}`, {
    hint: 'start the server, or set --data-dir to its folder',
    cause,
  });
}
