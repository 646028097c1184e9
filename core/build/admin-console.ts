import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { HOST_DIR } from '../config/host-folder.js';
import { buildProgram, gzipped, isOlder } from './browser-program.js';

/**
 * The maximum size, gzipped, of all scripts and style sheets that a browser loads before it shows anything, in bytes.
 */
const FIRST_LOAD_LIMIT = 200_000;

const ADMIN_CONSOLE = {
  name: 'the admin console',
  app: join(HOST_DIR, 'core', 'admin-console', 'app'),
  dir: join(HOST_DIR, 'dist', 'admin-console'),
  check: checkFirstLoad,
};
const BUILT_BY = [
  join(HOST_DIR, 'node_modules', '.package-lock.json'),
  join(HOST_DIR, 'core', 'build', 'admin-console.ts'),
  join(HOST_DIR, 'core', 'build', 'browser-program.ts'),
];

// The npm package has no sources.
if (existsSync(ADMIN_CONSOLE.app) && isOlder(ADMIN_CONSOLE, BUILT_BY)) await buildProgram(ADMIN_CONSOLE);

async function checkFirstLoad(chunks: readonly OutputChunk[], made: string): Promise<void> {
  const size = await firstLoad(chunks, made);
  console.log(`admin console: first load ${size} bytes gzipped (limit ${FIRST_LOAD_LIMIT})`);
  if (size > FIRST_LOAD_LIMIT)
    throw new Error('the first load of the admin console is too large: load pages on demand');
}

/** The gzipped size of the entry, its static imports, and the style sheet, in bytes. */
async function firstLoad(chunks: readonly OutputChunk[], made: string): Promise<number> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set<OutputChunk>();
  const visit = (chunk: OutputChunk | undefined) => {
    if (chunk === undefined || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk);
  const html = await readFile(join(made, 'index.html'), 'utf8');
  const styles = [...html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, name = '']) => name);
  const files = [...[...needed].map(({ fileName }) => fileName), ...styles].map((name) => join(made, name));
  const sizes = await Promise.all(files.map(async (file) => gzipped(await readFile(file)).length));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
