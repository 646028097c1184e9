import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { HOST_DIR } from '../config/host-folder.js';
import { writeAsAscii } from './ascii-chunk.js';
import { BILL_OF_MATERIALS, billOfMaterials } from './bill-of-materials.js';
import { bundledPackages } from './bundled-packages.js';
import { hostChecks, shareChecks } from './host-checks.js';
import { importFileAsIs } from './import-file-as-is.js';
import { LAZY_ENTRIES, loadLazily } from './lazy-packages.js';
import { licencesOf } from './licences.js';
import { PackageFiles } from './package-files.js';
import { checkRunTimeDependencies, UNBUNDLED_PACKAGES } from './run-time-dependencies.js';

/** Files that are loaded by their name: by the command, by threads, and by the SPI's test kit. */
const ENTRIES = {
  begin: 'core/build/begin.ts',
  main: 'core/main.ts',
  'test-host': 'core/host/test-host.ts',
  'writer-thread': 'core/store/sqlite/writing/writer-thread.ts',
  'backup-thread': 'core/store/sqlite/backup-thread.ts',
  'worker-entry': 'core/registry/worker/worker-entry.ts',
  'certificate-thread': 'core/admin/certificates/certificate-thread.ts',
  'hash-thread': 'core/users/passwords/hash-thread.ts',
  'blacklist-thread': 'core/users/passwords/blacklist-thread.ts',
};

/** The bundle is built in a temporary folder and moved into place as a whole, because a command may run meanwhile. */
const DIR = join(HOST_DIR, 'dist', 'bundle');
const TEMPORARY_DIR = `${DIR}-${process.pid}`;

/**
 * An argument of this program for `npm pack`, which runs it before each tarball. A bundle that is up to date is then
 * not replaced, because it may be in use.
 */
const ONLY_IF_OLDER = '--if-older';

if (isNeeded()) {
  try {
    const result = await build();
    // Test again: if two processes pack at once, the first may have put its bundle in place and be reading it.
    if (isNeeded()) {
      await rm(DIR, { recursive: true, force: true });
      await rename(TEMPORARY_DIR, DIR);
      await shareChecks(result.checks, result.build, join(HOST_DIR, 'dist'));
    }
  } finally {
    await rm(TEMPORARY_DIR, { recursive: true, force: true });
  }
}

function isNeeded(): boolean {
  return !process.argv.includes(ONLY_IF_OLDER) || isOutdated();
}

/** True if the compiler has written or npm has installed files since the bundle was built. */
function isOutdated(): boolean {
  const [bundleTime = 0, ...inputTimes] = [
    'dist/bundle/package.json',
    'dist/tsconfig.tsbuildinfo',
    'node_modules/.package-lock.json',
    'package.json',
  ].map((path) => statSync(join(HOST_DIR, path), { throwIfNoEntry: false })?.mtimeMs);
  return inputTimes.some((time = 0) => time > bundleTime);
}

/** @returns the build ID of the bundle, and the table of the checks in it */
async function build() {
  const hostManifest = JSON.parse(await readFile(join(HOST_DIR, 'package.json'), 'utf8'));
  checkRunTimeDependencies(hostManifest.dependencies);
  const files = new PackageFiles();
  const checks = await hostChecks();
  const bundle = await rolldown({
    input: { ...ENTRIES, ...LAZY_ENTRIES, ...checks.entries },
    cwd: HOST_DIR,
    platform: 'node',
    external: [...UNBUNDLED_PACKAGES],
    tsconfig: false,
    // Prefer `module`, because `main` of jsonc-parser is a UMD file, which cannot be bundled.
    resolve: { mainFields: ['module', 'main'], extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'node20.19' },
    plugins: [importFileAsIs(), loadLazily(), checks.plugin, files.plugin()],
    onLog(_level, log) {
      // Ignore the warning for depd: it calls `eval` with its own text only, to create functions of a given length.
      if (log.code === 'EVAL' && /node_modules\/depd\//.test(log.id ?? '')) return;
      // The source map remains correct, because the plugin only replaces words within lines.
      if (log.code === 'SOURCEMAP_BROKEN' && log.plugin === files.name) return;
      throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: TEMPORARY_DIR,
    format: 'cjs',
    // Run modules in source order, across chunks. For example, reflect-metadata must run before tsyringe.
    strictExecutionOrder: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Code from V8's code cache cannot call `import()` (see code-cache.ts), so these calls become `require`.
    dynamicImportInCjs: false,
    sourcemap: true,
    keepNames: true,
    minify: { mangle: { keepNames: true }, compress: true, codegen: true },
  });
  await bundle.close();
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  for (const { fileName } of output) if (fileName.endsWith('.map')) await removeSources(join(TEMPORARY_DIR, fileName));
  for (const { fileName } of chunks) await writeAsAscii(join(TEMPORARY_DIR, fileName));
  await files.copyTo(TEMPORARY_DIR);
  const packages = await bundledPackages(chunks);
  await writeFile(join(TEMPORARY_DIR, 'LICENCES.txt'), await licencesOf(packages));
  await writeFile(join(TEMPORARY_DIR, BILL_OF_MATERIALS), await billOfMaterials(hostManifest, packages));
  const manifest = { type: 'commonjs', build: hashChunks(chunks), outside: UNBUNDLED_PACKAGES };
  await writeFile(join(TEMPORARY_DIR, 'package.json'), `${JSON.stringify(manifest)}\n`);
  return { build: manifest.build, checks: checks.table };
}

/**
 * Returns a hash of the code of all chunks, as the build ID. V8's cache of one build is never used for a different
 * build.
 */
function hashChunks(chunks: readonly OutputChunk[]): string {
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`);
  return hash.digest('hex');
}

/**
 * Removes the source texts from a source map. They are two thirds of it, and `keyhost stack` and Node need only the
 * positions.
 */
async function removeSources(file: string): Promise<void> {
  const { sourcesContent: _, ...map } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify(map));
}
