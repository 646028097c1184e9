import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { REFERENCE, REFERENCE_PAGES } from '../../core/build/reference/reference-pages.js';
import { SPI_PAGE, spiPage } from '../../core/build/reference/spi-table.js';
import { pluginTemplate } from '../../core/commands/plugin/spi-templates.js';
import { HOST_SPIS } from '../../core/registry/loading/host-spis.js';
import { ROOT } from '../helpers/readme-blocks.js';

for (const [file, write] of Object.entries(REFERENCE_PAGES)) {
  test(`reference: the page matches the code: ${file}`, async (t) => {
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

test('reference: the table of SPIs is that of the code, and `plugin new` accepts its names', async (t) => {
  const page = await spiPage();
  t.is(
    page,
    await readFile(join(ROOT, SPI_PAGE), 'utf8'),
    `npm run reference writes the table in ${SPI_PAGE} anew; commit it with the change`,
  );
  const rows = [...page.matchAll(/^\| `(\w+)` \| `([\w-]+)` \| `([\w-]+)` \|/gm)];
  t.deepEqual(
    rows.map(([, name, id, word = '']) => [name, id, pluginTemplate(word).spi?.id]),
    [...HOST_SPIS.values()].map(({ name, id }) => [name, id, id]),
  );
});
