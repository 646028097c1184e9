import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/**
 * The number of test files in a batch. Their tests run concurrently, as those of one file do: with more, they would
 * wait too long for each other.
 */
const SIZE = 6;
/**
 * Files that need a thread of their own. AVA requires all tests to be declared before the first tick, so modules of a
 * batch must not await; and it runs a hook for all tests of a batch. Other files opt out with a comment and the reason.
 */
const ALONE =
  /^(?!.*\basync\b)\S.*\bawait\b|^import .* from '@keyhost\/spi\/testing'|^test\.(?:before|after)|^\/\/ Alone: /m;

/**
 * Writes batches of these test files, and AVA's configuration for them. AVA gives each test file its own thread. Two
 * thirds of the processor time of a run were spent on loading and warming up the host in each thread. A batch is a file
 * that imports several test files of a module, so that one thread runs them and shares their imports.
 * @param {string[]} files paths from the root, as `test/login/code-flow.test.ts`
 * @param {object} config AVA's configuration for single files
 * @returns {Promise<string>} the path of the one for batches, in a folder of its own
 */
export async function writeBatches(files, config) {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  // Unique for this run, since others may run concurrently.
  const dir = mkdtempSync(join(ROOT, 'dist/batches-'));
  const { typescript: _, ...own } = config;
  const path = join(dir, 'ava.config.mjs');
  writeFileSync(path, `export default ${JSON.stringify({ ...own, files: [`dist/${basename(dir)}/*.test.js`] })};\n`);
  const entries = {};
  mkdirSync(join(dir, 'entries'));
  for (const [name, batch] of batchesOf(files)) {
    const imports = batch.map((file) => `import ${JSON.stringify(compiled(file))};\n`);
    entries[`${name}.test`] = join(dir, 'entries', `${name}.js`);
    writeFileSync(entries[`${name}.test`], imports.join(''));
  }
  await bundle(entries, dir);
  return path;
}

function batchesOf(files) {
  const batches = [];
  for (const module of new Set(files.map(moduleOf))) {
    const all = files.filter((file) => moduleOf(file) === module);
    // Tests of the second lane have browsers and servers of their own.
    const alone = all.filter((file) => file.includes('.rest.') || ALONE.test(readFileSync(join(ROOT, file), 'utf8')));
    const together = all.filter((file) => !alone.includes(file));
    const count = Math.ceil(together.length / SIZE);
    for (let i = 0; i < count; i += 1)
      batches.push([`${module}-${i + 1}`, together.filter((_, at) => at % count === i)]);
    for (const file of alone)
      batches.push([`${module}-${file.replace(/^.*\/|(?:\.rest|\.peers)?\.test\.ts$/g, '')}`, [file]]);
  }
  return batches;
}

const moduleOf = (file) => dirname(relative('test', file)).replaceAll('/', '-');

const compiled = (file) => `../../${file.replace(/\.ts$/, '.js')}`;
