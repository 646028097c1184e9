import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { HOST_DIR } from '../config/host-folder.js';
import { buildProgram, gzipped, isOutdated } from './browser-program.js';

/** The maximum gzipped size of all scripts and style sheets that a browser loads before it shows anything, in bytes. */
const FIRST_LOAD_LIMIT = 200_000;

const ADMIN_CONSOLE = {
  name: 'the admin console',
  app: join(HOST_DIR, 'core', 'admin-console', 'app'),
  outputDir: join(HOST_DIR, 'dist', 'admin-console'),
  check: checkFirstLoad,
};
const BUILD_INPUTS = [
  join(HOST_DIR, 'node_modules', '.package-lock.json'),
  join(HOST_DIR, 'core', 'build', 'admin-console.ts'),
  join(HOST_DIR, 'core', 'build', 'browser-program.ts'),
];

// The npm package has no sources.
if (existsSync(ADMIN_CONSOLE.app) && isOutdated(ADMIN_CONSOLE, BUILD_INPUTS)) await buildProgram(ADMIN_CONSOLE);

async function checkFirstLoad(chunks: readonly OutputChunk[], folder: string): Promise<void> {
  const size = await firstLoad(chunks, folder);
  console.log(`admin console: first load ${size} bytes gzipped (limit ${FIRST_LOAD_LIMIT})`);
  if (size > FIRST_LOAD_LIMIT)
    throw new Error('the first load of the admin console is too large: load pages on demand');
}

/** Returns the gzipped size of the entry, its static imports, and the style sheet, in bytes. */
async function firstLoad(chunks: readonly OutputChunk[], folder: string): Promise<number> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loadedChunks = new Set<OutputChunk>();
  const visit = (chunk: OutputChunk | undefined) => {
    if (chunk === undefined || loadedChunks.has(chunk)) return;
    loadedChunks.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk);
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const styles = [...html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, name = '']) => name);
  const files = [...[...loadedChunks].map(({ fileName }) => fileName), ...styles].map((name) => join(folder, name));
  const sizes = await Promise.all(files.map(async (file) => gzipped(await readFile(file)).length));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
