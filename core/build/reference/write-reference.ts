import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import { REFERENCE, REFERENCE_PAGES } from './reference-pages.js';
import { SPI_PAGE, spiPage } from './spi-table.js';

for (const [file, write] of Object.entries(REFERENCE_PAGES))
  await writeFile(join(HOST_DIR, REFERENCE, file), await write());
await writeFile(join(HOST_DIR, SPI_PAGE), await spiPage());
