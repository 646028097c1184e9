import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { OutputChunk } from 'rolldown';
import { build } from 'vite';
import { HOST_DIR } from '../config/host-folder.js';
import { BILL_OF_MATERIALS, billOfMaterials } from './bill-of-materials.js';
import { bundledPackages } from './bundled-packages.js';
import { licencesOf } from './licences.js';

export interface BrowserProgram {
  /** The name in messages. */
  readonly name: string;
  /** The folder of its sources, with `tsconfig.json` and `vite.config.ts`. */
  readonly app: string;
  /** The folder that the host serves. */
  readonly outputDir: string;
  /** The Brotli level, 1 to 11. Level 11, the default, takes a second for each half megabyte. */
  readonly quality?: number;
  /** Further files in the program's folder, by name. */
  readonly extraFiles?: Readonly<Record<string, string>>;
  /**
   * Checks the built program before it is put in place.
   * @param folder the temporary folder
   * @throws Error if it is not acceptable
   */
  readonly check?: (chunks: readonly OutputChunk[], made: string) => Promise<void>;
}

/** This file is written last, so its time is the time of the build. */
const LICENCES = 'LICENCES.txt';

/** True if the sources of the program, or one of the other files, have changed since it was built. */
export function isOutdated({ app, outputDir }: BrowserProgram, otherInputs: readonly string[]): boolean {
  const builtAt = timeOf(join(outputDir, LICENCES));
  return [...sourcesIn(app), ...otherInputs].some((path) => timeOf(path) > builtAt);
}

/**
 * Builds a program for browsers in a temporary folder and moves it into place as a whole, because a host may read it
 * meanwhile.
 * @throws Error
 */
export async function buildProgram(program: BrowserProgram): Promise<void> {
  const { app, outputDir, quality = 11, extraFiles = {} } = program;
  const temporaryFolder = `${outputDir}-${process.pid}`;
  try {
    checkTypes(program);
    const chunks = await bundle(app, temporaryFolder);
    await program.check?.(chunks, temporaryFolder);
    const assets = join(temporaryFolder, 'assets');
    for (const name of await readdir(assets)) if (!name.endsWith('.woff2')) await compress(join(assets, name), quality);
    for (const [name, text] of Object.entries(extraFiles)) await writeFile(join(temporaryFolder, name), text);
    const packages = await bundledPackages(chunks);
    const subject = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
    await writeFile(join(temporaryFolder, BILL_OF_MATERIALS), await billOfMaterials(subject, packages));
    await writeFile(join(temporaryFolder, LICENCES), await licencesOf(packages));
    await rm(outputDir, { recursive: true, force: true });
    await rename(temporaryFolder, outputDir);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

export function gzipped(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @throws Error if the compiler reports errors, which it has printed */
function checkTypes({ name, app }: BrowserProgram): void {
  const compiler = join(HOST_DIR, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', app], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name}: type check failed`);
}

async function bundle(app: string, outDir: string): Promise<readonly OutputChunk[]> {
  // Otherwise, Vite and React make a development build if the shell sets NODE_ENV.
  env.NODE_ENV = 'production';
  const result = await build({
    root: app,
    configFile: join(app, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  if (!('output' in result)) throw new Error('Vite built more than one program');
  return result.output.filter((one): one is OutputChunk => one.type === 'chunk');
}

/** Writes compressed copies of a file, so that the host need not compress it for each request. */
async function compress(file: string, quality: number): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.gz`, gzipped(bytes));
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }));
}
