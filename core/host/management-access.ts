import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';

/**
 * The URLs and the secret by which commands reach the host that owns a data directory. Only the directory's owner can
 * read the file.
 */
export interface ManagementAccess {
  /** The URL of the management port. */
  readonly url: string;
  /** Authenticates commands at the management port. */
  readonly secret: string;
  /** The public base URL of the server, with which its issuers begin. */
  readonly server: string;
}

/** A host that does not answer within this time, in milliseconds, counts as not running. */
const ANSWER_TIMEOUT_MS = 5_000;

const accessFile = (dataDir: string) => join(dataDir, 'management.json');

/**
 * Writes the file.
 * @returns a function that deletes it
 */
export async function writeManagementAccess(dataDir: string, access: ManagementAccess): Promise<() => Promise<void>> {
  // The file of an earlier host would keep its permissions, so delete it first.
  await rm(accessFile(dataDir), { force: true });
  await writeFile(accessFile(dataDir), JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return () => rm(accessFile(dataDir), { force: true });
}

/**
 * Reads the file.
 * @throws BootError `options_invalid` if the data directory has none
 */
export async function readManagementAccess(dataDir: string): Promise<ManagementAccess> {
  try {
    return JSON.parse(await readFile(accessFile(dataDir), 'utf8')) as ManagementAccess;
  } catch (cause) {
    throw noHostError(dataDir, cause);
  }
}

/**
 * Returns the access to the running host of a data directory; undefined if no host answers. A host that was killed
 * leaves its file behind.
 */
export async function findRunningAccess(dataDir: string): Promise<ManagementAccess | undefined> {
  try {
    const access = await readManagementAccess(dataDir);
    await fetch(`${access.url}/health/live`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return access;
  } catch {
    return undefined;
  }
}

/** Returns the error for a data directory that no running host uses. */
export function noHostError(dataDir: string, cause: unknown): BootError {
  return new BootError('options_invalid', `no running server uses the data directory ${dataDir}`, {
    hint: 'start the server, or set --data-dir to its folder',
    cause,
  });
}
