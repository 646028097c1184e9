import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { REFERENCE, REFERENCE_PAGES } from '../../core/build/reference/reference-pages.js';
import { ROOT } from '../helpers/readme-blocks.js';

for (const [file, write] of Object.entries(REFERENCE_PAGES)) {
  test(`the reference says what the code says: ${file}`, async (t) => {
    if (file === 'metrics.md' && process.platform !== 'linux') {
      t.log('prom-client has other metrics on other operating systems');
      return t.pass();
    }
    t.is(
      await write(),
      await readFile(join(ROOT, REFERENCE, file), 'utf8'),
      `npm run reference writes ${REFERENCE} anew; commit it with the change`,
    );
  });
}
