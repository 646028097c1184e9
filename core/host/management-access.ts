import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';

/** How commands reach the host that owns a data directory. Only its owner can read the file. */
export interface ManagementAccess {
  /** The URL of the management port. */
  readonly url: string;
  /** Authenticates commands at the management port. */
  readonly secret: string;
  /** The public base URL of the server, with which issuers begin. */
  readonly server: string;
}

/** Timeout in milliseconds, after which a host counts as not running. */
const ANSWER_MS = 5_000;

const file = (dataDir: string) => join(dataDir, 'management.json');

/** @returns a function that deletes the file */
export async function writeManagementAccess(dataDir: string, access: ManagementAccess): Promise<() => Promise<void>> {
  // A file of an earlier host would keep its permissions, so create a new one.
  await rm(file(dataDir), { force: true });
  await writeFile(file(dataDir), JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return () => rm(file(dataDir), { force: true });
}

/** @throws BootError `options_invalid` if no host has written its URL there */
export async function readManagementAccess(dataDir: string): Promise<ManagementAccess> {
  try {
    return JSON.parse(await readFile(file(dataDir), 'utf8')) as ManagementAccess;
  } catch (cause) {
    throw noHost(dataDir, cause);
  }
}

/**
 * The access to the running host of a data directory; undefined if none answers. A killed host leaves its file behind.
 */
export async function runningAccess(dataDir: string): Promise<ManagementAccess | undefined> {
  try {
    const access = await readManagementAccess(dataDir);
    await fetch(`${access.url}/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return access;
  } catch {
    return undefined;
  }
}

/** The error if no running host uses a data directory. */
export function noHost(dataDir: string, cause: unknown): BootError {
  return new BootError('options_invalid', `no running server uses the data directory ${dataDir}`, {
    hint: 'start the server, or set --data-dir to its folder',
    cause,
  });
}
