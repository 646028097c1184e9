import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { applyRealmFile } from '../../core/realms/apply-realm-file.js';
import { ApplyServices } from '../../core/realms/module.js';
import { adminCaller, administered } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const ID = '11111111-2222-4333-8444-555555555555';
const host = shareHost(
  test,
  administered({
    realms: [{ ...testRealm('demo', { providers: {} }), id: ID }, testRealm('other', { providers: {} })],
  }),
);

test('T530 · realm IDs: a realm with the id of another is 409, and that one stays as it was', async (t) => {
  const call = await adminCaller(host());
  const master = (await call('GET', '/realms/master')).json.id as unknown as string;
  for (const id of [ID, master]) {
    const answer = await call('POST', '/realms', { realm: 'twin', id, enabled: true });
    t.deepEqual([answer.status, answer.json.errorMessage], [409, `Another realm has the ID ${id}`]);
  }
  t.is((await call('GET', '/realms/twin')).status, 404);
  t.is((await call('PUT', '/realms/other', { id: ID, displayName: 'Other' })).status, 204);
  t.not((await call('GET', '/realms/other')).json.id as unknown as string, ID, 'an id is never changed');
  t.is((await call('GET', '/realms/demo')).json.id, ID);
  await t.throwsAsync(applyFile(host(), { realm: 'twin', id: ID, enabled: true }), {
    message: `Another realm has the ID ${ID}`,
  });
  await applyFile(host(), { ...testRealm('other', { providers: {} }), id: ID });
  t.not((await call('GET', '/realms/other')).json.id as unknown as string, ID, 'nor by a file');
  t.is((await call('POST', '/realms', { realm: 'twin', id: `${ID}-2`, enabled: true })).status, 201);
});

test('T531 · realm IDs: of two nodes that make realms of one id at once, one does', async (t) => {
  const { nodes } = await startNodes(t, administered());
  const [one, two] = nodes as [TestHost, TestHost];
  const first = await adminCaller(one);
  const second = await adminCaller(two);
  for (let turn = 0; turn < 4; turn += 1) {
    const id = `${ID}-${turn}`;
    const answers = await Promise.all([
      first('POST', '/realms', { realm: `a${turn}`, id, enabled: true }),
      second('POST', '/realms', { realm: `b${turn}`, id, enabled: true }),
    ]);
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
  }
});

async function applyFile(at: TestHost, realm: object): Promise<void> {
  const path = join(at.dir, 'twin.json');
  await writeFile(path, JSON.stringify(realm));
  for (const file of await readValidFiles(await realmFilesOf(path), at.use(FileChecks)))
    await applyRealmFile(file, at.use(ApplyServices));
}
