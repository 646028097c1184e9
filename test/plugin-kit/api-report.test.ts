import { readFile } from 'node:fs/promises';
import test from 'ava';
import { apiReport, REPORT } from './write-api-report.js';

test('API report: the SPI’s declarations are the reviewed ones', async (t) => {
  t.is(
    await apiReport(),
    await readFile(REPORT, 'utf8'),
    'the declarations changed: npm run api-report writes core/spi/api-report.md anew; commit it with the change',
  );
});
