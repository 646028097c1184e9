import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type Run, run } from '../helpers/process.js';
import { ROOT } from '../helpers/readme-blocks.js';

/** The plugins of the demo realm are those of this repository. */
export const OF_CLONE = { KEYHOST_PROVIDERS_DIR: join(ROOT, 'providers') };

/** A folder with the realms and plugins.json of a clone. */
export async function cloneFolder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-readme-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await cp(join(ROOT, 'realms'), join(dir, 'realms'), { recursive: true });
  await cp(join(ROOT, 'plugins.json'), join(dir, 'plugins.json'));
  return dir;
}

/** Starts the host in a clone's folder. */
export async function started(t: ExecutionContext, dir: string, env: Record<string, string> = {}): Promise<Run> {
  const places = ['--data-dir', join(dir, '.data'), '--mail-dir', join(dir, 'mail')];
  return run(t, dir, ['start-dev', ...places, '--providers-dir', env.KEYHOST_PROVIDERS_DIR ?? join(dir, 'providers')]);
}
