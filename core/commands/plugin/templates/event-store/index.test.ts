import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EventStore, type StoredEvent } from '@keyhost/spi';
import { APP, conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

async function folder(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'events-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('a login is a line of the file of its realm', async (t) => {
  const dir = await folder(t);
  const host = await startHost(t, { plugins: [{ plugin, config: { 'eventsStore/__id__': { dir } } }] });
  await host.realm().tokenRequest({ ...APP, grant_type: 'password', username: 'alice', password: 'alice' });
  await host.settled();
  const [file = ''] = await readdir(dir);
  const lines = (await readFile(join(dir, file), 'utf8')).trimEnd().split('\n');
  const [first] = lines.map((line) => JSON.parse(line) as StoredEvent);
  assert.equal(first?.kind === 'user' && first.event.type, 'LOGIN');
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, EventStore, plugin, { config: { 'eventsStore/__id__': { dir: await folder(t) } } });
});
