import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { RecordStore } from '../../core/store/records/record-store.js';
import { openMemoryDatabase } from '../../core/store/sqlite/open-database.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { SqliteReader } from '../../core/store/sqlite/reader.js';
import { SqliteEngine } from '../../core/store/sqlite/sqlite-engine.js';
import { ThreadTransport } from '../../core/store/sqlite/writing/thread-transport.js';
import { SqliteWriter } from '../../core/store/sqlite/writing/writer.js';
import { NOW, REALM } from './records.js';
import { temporaryDirectory } from './temporary-directory.js';

const UNAVAILABLE = { name: 'HostError', code: 'store_unavailable', status: 503, expose: false };

test('unavailable store: when the writer dies, all that wait for it and all that come later are refused', async (t) => {
  const writer = new SqliteWriter();
  const thread = new URL('./dying-thread.js', import.meta.url);
  writer.connect(await ThreadTransport.open({ file: 'unused', appliedAt: NOW }, writer, thread));
  const store = new RecordStore(new SqliteEngine(new SqliteReader(openMemoryDatabase(NOW)), writer));
  const claim = (keyHash: string) =>
    store.marks.claim({ realm: REALM, kind: 'k', keyHash, now: NOW, expiresAt: NOW + 1 });
  const waiting = await Promise.allSettled([claim('a'), claim('b')]);
  for (const outcome of waiting) t.like(outcome, { status: 'rejected', reason: UNAVAILABLE });
  t.like(await t.throwsAsync(claim('c')), UNAVAILABLE);
  t.false(await store.marks.has({ realm: REALM, kind: 'k', keyHash: 'a', now: NOW }), 'reads still answer');
  await store.close();
});

const posix = process.platform === 'win32' ? test.skip : test;

posix(
  'unavailable store: when nothing more can be written, writes are refused and what was acknowledged stays',
  async (t) => {
    const dataDir = await temporaryDirectory(t);
    const child = fileURLToPath(new URL('./full-disk-child.js', import.meta.url));
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -f 2000 && exec "$0" "$1" "$2"',
      process.execPath,
      child,
      dataDir,
    ]);
    const { acknowledged, ...rest } = JSON.parse(stdout);
    t.true(acknowledged > 0);
    t.deepEqual(rest, { code: 'store_unavailable', status: 503, readable: acknowledged });
    const store = await openStore({ dataDir });
    t.is((await store.events.query(REALM, { kind: 'user', max: 100_000 })).length, acknowledged);
    await store.close();
  },
);
