import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Creates a directory that is deleted after the test. */
export async function temporaryDirectory(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'keyhost-store-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}
