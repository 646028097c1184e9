import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAST_RELEASE } from '../store/releases.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** True if the sources of the last release are available: not in an installed package or a shallow clone. */
export function hasLastRelease(): boolean {
  if (!existsSync(join(ROOT, '.git'))) return false;
  try {
    execFileSync('git', ['cat-file', '-e', `${LAST_RELEASE.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the last release in a separate folder, with the packages installed here.
 * @returns its `core/keyhost.js`
 */
export function buildLastRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', LAST_RELEASE.commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  linkPackages(folder);
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], {
    cwd: folder,
    stdio: 'inherit',
  });
  return join(folder, 'core/keyhost.js');
}

/** Links its own packages to the folder, and all others to those installed here. */
function linkPackages(folder: string): void {
  const link = (name: string, target: string) => {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(folder, 'node_modules', name));
  };
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { workspaces: string[] };
  const own = new Map(
    workspaces.map((path) => {
      const { name } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')) as { name: string };
      return [name, join(folder, path)];
    }),
  );
  for (const [name, path] of own) link(name, path);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const path = join(ROOT, 'node_modules', name);
    if (!name.startsWith('@')) link(name, path);
    else {
      for (const scoped of readdirSync(path)) {
        if (!own.has(`${name}/${scoped}`)) link(`${name}/${scoped}`, join(path, scoped));
      }
    }
  }
}
