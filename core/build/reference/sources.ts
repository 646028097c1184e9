import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';

export interface Source {
  /** The path in the repository, such as `core/oidc/token-endpoint.ts`. */
  readonly path: string;
  /** The text without comments. */
  readonly text: string;
}

/** Separate programs, the test kit of the SPI, templates of plugins, and the code that writes these pages. */
const EXCLUDED = /^core\/(admin-console\/app|spi\/(dist|testing)|commands\/plugin\/templates|build)\//;

let sources: Promise<Source[]> | undefined;

/** Returns the sources of the host, for facts that no table of the host contains. */
export function hostSources(): Promise<readonly Source[]> {
  sources ??= readSources();
  return sources;
}

async function readSources(): Promise<Source[]> {
  const names = await readdir(join(HOST_DIR, 'core'), { recursive: true });
  const paths = names
    .map((name) => `core/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/') && !EXCLUDED.test(path));
  const reads = paths.sort().map(async (path) => {
    const text = await readFile(join(HOST_DIR, path), 'utf8');
    return { path, text: text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '') };
  });
  return Promise.all(reads);
}

/** Returns the matches of a pattern in all sources. */
export function findMatches(sources: readonly Source[], pattern: RegExp): RegExpMatchArray[] {
  return sources.flatMap(({ text }) => [...text.matchAll(pattern)]);
}
