import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Test files of a batch. Their tests run at once, as those of one file do: more of them would wait too long for each other. */
const SIZE = 6;
/**
 * Files with a thread of their own. AVA wants all tests declared before the first tick, so that no module of a batch may await, and
 * runs a hook for all tests of a batch. Other files say so themselves, with the reason.
 */
const ALONE =
  /^(?!.*\basync\b)\S.*\bawait\b|^import .* from '@keyhost\/spi\/testing'|^test\.(?:before|after)|^\/\/ Alone: /m;

/**
 * Writes the batches of these test files, and AVA's configuration for them. AVA gives each test file a thread of its own, and two
 * thirds of the processor time of a run were threads that loaded the host and warmed it up. A batch is a file that imports
 * several test files of a room, so that one thread runs them, and what they import of the project.
 * @param {string[]} files from the root, as `test/login/code-flow.test.ts`
 * @param {object} config of AVA for single files
 * @returns {Promise<string>} the path of the one for batches, in a folder that is theirs
 */
export async function writeBatches(files, config) {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  // Of this run alone: others may go on beside it.
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
  for (const room of new Set(files.map(roomOf))) {
    const all = files.filter((file) => roomOf(file) === room);
    // Tests of the second lane have browsers and servers of their own.
    const alone = all.filter((file) => file.includes('.rest.') || ALONE.test(readFileSync(join(ROOT, file), 'utf8')));
    const together = all.filter((file) => !alone.includes(file));
    const count = Math.ceil(together.length / SIZE);
    for (let i = 0; i < count; i += 1) batches.push([`${room}-${i + 1}`, together.filter((_, at) => at % count === i)]);
    for (const file of alone)
      batches.push([`${room}-${file.replace(/^.*\/|(?:\.rest|\.peers)?\.test\.ts$/g, '')}`, [file]]);
  }
  return batches;
}

const roomOf = (file) => dirname(relative('test', file)).replaceAll('/', '-');

const compiled = (file) => `../../${file.replace(/\.ts$/, '.js')}`;
