import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { OutputChunk } from 'rolldown';
import { build } from 'vite';
import { HOST_DIR } from '../config/host-folder.js';
import { licencesOf } from './licences.js';

/** Bytes, gzipped: what a browser loads before it shows anything, scripts and style sheets together. */
const FIRST_LOAD_LIMIT = 200_000;

const APP = join(HOST_DIR, 'core', 'desk', 'app');
/** Made elsewhere and moved there whole: a host may read it meanwhile. */
const DIR = join(HOST_DIR, 'dist', 'desk');
const MADE = `${DIR}-${process.pid}`;

if (isOlder()) {
  try {
    checkTypes();
    const chunks = await buildApp();
    const assets = join(MADE, 'assets');
    const size = await firstLoad(chunks, assets);
    console.log(`the desk: first load ${size} bytes gzipped, of at most ${FIRST_LOAD_LIMIT}`);
    if (size > FIRST_LOAD_LIMIT) throw new Error('the first load of the desk is too large: load pages on demand');
    for (const name of await readdir(assets)) await compress(join(assets, name));
    await writeFile(join(MADE, 'LICENCES.txt'), await licencesOf(chunks));
    await rm(DIR, { recursive: true, force: true });
    await rename(MADE, DIR);
  } finally {
    await rm(MADE, { recursive: true, force: true });
  }
}

/** Whether its sources, its packages or how it is built changed since it was. A package from npm has no sources. */
function isOlder(): boolean {
  if (!existsSync(APP)) return false;
  const made = timeOf(join(DIR, 'LICENCES.txt'));
  const others = [
    ...sourcesIn(APP),
    join(HOST_DIR, 'node_modules', '.package-lock.json'),
    join(HOST_DIR, 'core', 'build', 'desk.ts'),
  ];
  return others.some((path) => timeOf(path) > made);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @throws Error when the compiler finds something, which it has told by then */
function checkTypes(): void {
  const compiler = join(HOST_DIR, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', APP], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the types of the desk do not fit');
}

async function buildApp(): Promise<readonly OutputChunk[]> {
  const made = await build({
    root: APP,
    configFile: join(APP, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: MADE, emptyOutDir: true },
  });
  if (!('output' in made)) throw new Error('Vite built something else than one program');
  return made.output.filter((one): one is OutputChunk => one.type === 'chunk');
}

/** Bytes of the entry, of what it imports before it runs, and of the style sheet. */
async function firstLoad(chunks: readonly OutputChunk[], assets: string): Promise<number> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set<OutputChunk>();
  const visit = (chunk: OutputChunk | undefined) => {
    if (chunk === undefined || needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of chunks) if (chunk.isEntry) visit(chunk);
  const html = await readFile(join(MADE, 'index.html'), 'utf8');
  const styles = [...html.matchAll(/href="\.\/assets\/([^"]+\.css)"/g)].map(([, name = '']) => join(assets, name));
  const files = [...[...needed].map(({ fileName }) => join(MADE, fileName)), ...styles];
  const sizes = await Promise.all(files.map(async (file) => gzipped(await readFile(file)).length));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function gzipped(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 });
}

/** The host sends what was compressed once, here. */
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.gz`, gzipped(bytes));
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }));
}
