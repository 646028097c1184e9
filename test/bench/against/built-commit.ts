import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../keyhost.js';
import { OptionError } from '../options.js';

/** A commit of this repository, built in a folder of its own. */
export interface BuiltCommit {
  /** The short hash, which names it in the table. */
  readonly name: string;
  readonly hash: string;
  /** The folder of the commit, as `ROOT` is that of this checkout. */
  readonly root: string;
}

/** Built commits stay here, so that a second run does not build them. A bundle cannot be built in node_modules. */
const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'keyhost-bench');

/** A commit that could not be built. */
export class BuildFailure extends Error {}

/** @throws OptionError if the revision is no commit of this repository */
export function resolveCommit(revision: string): BuiltCommit {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const hash = git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`);
    return { name: git('rev-parse', '--short', hash), hash, root: join(FOLDER, hash) };
  } catch (cause) {
    throw new OptionError(`--against ${revision}: it is no commit of this repository`, { cause });
  }
}

/**
 * Extracts the commit, installs its dependencies and builds it, unless an earlier run has done so.
 * @param tell reports progress
 * @throws BuildFailure with the output of the step that failed
 */
export function buildCommit({ name, hash, root }: BuiltCommit, tell: (text: string) => void): void {
  if (existsSync(root)) return;
  const partial = `${root}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const run = (step: string, command: string) => {
    tell(`${name}: ${step} …\n`);
    const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', command], {
      cwd: partial,
      encoding: 'utf8',
      env: { ...process.env, ROOT, HASH: hash },
    });
    if (status !== 0) throw new BuildFailure(`${name}: ${step} failed:\n${`${stdout}${stderr}`.slice(-4000)}`);
  };
  run('extract', 'git -C "$ROOT" archive "$HASH" | tar -x');
  run('install', 'npm ci --prefer-offline --no-audit --no-fund');
  run('build', 'npm run -s build');
  // Only a whole build gets the name that later runs look for.
  renameSync(partial, root);
}
