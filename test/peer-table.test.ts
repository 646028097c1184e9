import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { writePeerRow } from './helpers/peer-table.js';

test('peer table: it has the last run of each comparison, and keeps those that have not run', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-peers-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const file = join(dir, 'PEERS.md');
  const write = (day: string, of: string, result: string) =>
    writePeerRow({ date: new Date(day), beside: 'Keycloak 26.7.3', test: of, result }, file);
  await write('2026-11-01', 'realms | users', 'failed');
  await write('2026-11-02', 'mappers', 'passed');
  await write('2026-11-03', 'realms | users', 'passed');
  const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('| 2026'));
  t.deepEqual(rows, [
    '| 2026-11-02 | Keycloak 26.7.3 | mappers | passed |',
    '| 2026-11-03 | Keycloak 26.7.3 | realms / users | passed |',
  ]);
});
