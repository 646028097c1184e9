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

/** Files that are run by name: by the command, by threads, and by the SPI's test kit. */
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

/** The bundle is made in a temporary folder and moved into place as a whole, since a command may run meanwhile. */
const DIR = join(HOST_DIR, 'dist', 'bundle');
const MADE = `${DIR}-${process.pid}`;

/**
 * For `npm pack`, which runs this before each tarball: a bundle that is up to date, and maybe in use, is not replaced.
 */
const ONLY_IF_OLDER = '--if-older';

if (isWanted()) {
  try {
    const result = await build();
    // If two processes pack at once, the first has put its bundle in place, and the other may be reading it.
    if (isWanted()) {
      await rm(DIR, { recursive: true, force: true });
      await rename(MADE, DIR);
      await shareChecks(result.checks, result.build, join(HOST_DIR, 'dist'));
    }
  } finally {
    await rm(MADE, { recursive: true, force: true });
  }
}

function isWanted(): boolean {
  return !process.argv.includes(ONLY_IF_OLDER) || isOlder();
}

/** True if the compiler wrote or npm installed files since the bundle was made. */
function isOlder(): boolean {
  const [made = 0, ...others] = [
    'dist/bundle/package.json',
    'dist/tsconfig.tsbuildinfo',
    'node_modules/.package-lock.json',
    'package.json',
  ].map((path) => statSync(join(HOST_DIR, path), { throwIfNoEntry: false })?.mtimeMs);
  return others.some((time = 0) => time > made);
}

/** @returns the bundle's build name, and the table of the checks that it compiled */
async function build() {
  const host = JSON.parse(await readFile(join(HOST_DIR, 'package.json'), 'utf8'));
  checkRunTimeDependencies(host.dependencies);
  const files = new PackageFiles();
  const checks = await hostChecks();
  const bundle = await rolldown({
    input: { ...ENTRIES, ...LAZY_ENTRIES, ...checks.entries },
    cwd: HOST_DIR,
    platform: 'node',
    external: [...UNBUNDLED_PACKAGES],
    tsconfig: false,
    // `module` first: the UMD of jsonc-parser, its `main`, cannot be bundled.
    resolve: { mainFields: ['module', 'main'], extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'node20.19' },
    plugins: [importFileAsIs(), loadLazily(), checks.plugin, files.plugin()],
    onLog(_level, log) {
      // depd creates functions of a given length with `eval`, from its own text only.
      if (log.code === 'EVAL' && /node_modules\/depd\//.test(log.id ?? '')) return;
      // Lines are not moved: only words within them are replaced.
      if (log.code === 'SOURCEMAP_BROKEN' && log.plugin === files.name) return;
      throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: MADE,
    format: 'cjs',
    // Run modules in source order, in any chunk: tsyringe throws if it runs before reflect-metadata.
    strictExecutionOrder: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // The host's code is loaded from V8's code cache, and such code cannot import: see code-cache.ts.
    dynamicImportInCjs: false,
    sourcemap: true,
    keepNames: true,
    minify: { mangle: { keepNames: true }, compress: true, codegen: true },
  });
  await bundle.close();
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
  for (const { fileName } of output) if (fileName.endsWith('.map')) await withoutSources(join(MADE, fileName));
  for (const { fileName } of chunks) await writeAsAscii(join(MADE, fileName));
  await files.copyTo(MADE);
  const packages = await bundledPackages(chunks);
  await writeFile(join(MADE, 'LICENCES.txt'), await licencesOf(packages));
  await writeFile(join(MADE, BILL_OF_MATERIALS), await billOfMaterials(host, packages));
  const manifest = { type: 'commonjs', build: buildOf(chunks), outside: UNBUNDLED_PACKAGES };
  await writeFile(join(MADE, 'package.json'), `${JSON.stringify(manifest)}\n`);
  return { build: manifest.build, checks: checks.table };
}

/** A hash of the code of all chunks: V8's cache of one build is never used for another. */
function buildOf(chunks: readonly OutputChunk[]): string {
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`);
  return hash.digest('hex');
}

/** `keyhost stack` and Node need only the positions; the source texts are two thirds of a map. */
async function withoutSources(file: string): Promise<void> {
  const { sourcesContent: _, ...map } = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify(map));
}
