// Removes files that a running host never reads from a built checkout, before its parts are copied into the image. Run
// it at the top of the checkout.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SQLITE = 'node_modules/@photostructure/sqlite';
/** Types, sources of native modules, and leftovers of npm and the build. */
const WHOLE = ['node_modules/@types', 'node_modules/node-addon-api', 'node_modules/.cache', `${SQLITE}/src`];
/** Declarations, source maps, sources and documentation. */
const UNREAD = /\.(d\.[cm]?ts|[cm]?ts|map|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi|md|markdown)$/i;
/** Folders with tests and examples of packages. */
const UNUSED = /^(tests?|__tests__|benchmarks?|examples?|docs|\.github)$/;
const LEGAL = /^(licen[cs]e|notice|copying)/i;

for (const path of WHOLE) rmSync(path, { recursive: true, force: true });
removePlugins();
removeBundled();
removeOtherBinaries();
for (const folder of ['dist/bundle', 'core/spi/dist', 'node_modules']) prune(folder);

/** The checkout's own plugins are linked as workspaces; the image has none. */
function removePlugins() {
  for (const name of readdirSync('node_modules/@keyhost'))
    if (name !== 'spi') rmSync(join('node_modules/@keyhost', name), { recursive: true });
}

/** Removes packages whose code is in the bundle. Those that the bundle leaves out stay, with their dependencies. */
function removeBundled() {
  const kept = new Set();
  const keep = (name) => {
    const folder = join('node_modules', name);
    if (kept.has(folder) || !existsSync(folder)) return;
    kept.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = manifestIn(folder);
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) keep(other);
  };
  for (const name of manifestIn('dist/bundle').outside) keep(name);
  for (const name of readdirSync('node_modules')) {
    const folder = join('node_modules', name);
    const packages = name.startsWith('@') ? readdirSync(folder).map((one) => join(folder, one)) : [folder];
    for (const one of packages) if (!kept.has(one)) rmSync(one, { recursive: true });
  }
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Removes binaries for other platforms and for musl. Removes all if Node has SQLite built in, since the host then uses
 * that.
 */
function removeOtherBinaries() {
  const own = process.getBuiltinModule('node:sqlite') ? '' : `${process.platform}-${process.arch}`;
  const prebuilds = join(SQLITE, 'prebuilds');
  for (const path of readdirSync(prebuilds, { recursive: true }).filter((name) => name.endsWith('.node')))
    if (own === '' || !path.startsWith(own) || path.includes('musl')) rmSync(join(prebuilds, path));
}

function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && folder.startsWith('node_modules') && UNUSED.test(entry.name))
      rmSync(path, { recursive: true });
    else if (entry.isDirectory()) prune(path);
    else if (UNREAD.test(entry.name) && !LEGAL.test(entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
