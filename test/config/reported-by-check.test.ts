import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { KEYCLOAK_SETTINGS } from '../../core/config/settings/keycloak-settings.js';
import type { SettingState } from '../../core/config/settings/setting-state.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { idleValue } from './idle-value.js';
import { realmWith } from './realm-with-setting.js';

const ignored = Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([name, state]: [string, SettingState]) =>
    state.state === 'ignored' ? [{ kind, name, state }] : [],
  ),
);

test('realm check: each setting without effect is reported at its place', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const rows = ignored.map((row, index) => ({ ...row, id: `r${index}` }));
  for (const { kind, name, state, id } of rows) {
    const realm = { ...realmWith(kind, name, idleValue(kind, name, state)), realm: id };
    await writeFile(join(dir, `${id}.json`), JSON.stringify(realm));
  }
  const { stdout } = await keyhost(['realm', 'check', ...rows.map(({ id }) => `${id}.json`)], { cwd: dir });
  const lines = stdout.trimEnd().split('\n');
  const silent = rows.flatMap(({ kind, name, state, id }) => {
    const own = lines.filter((line) => line.startsWith(`${id}.json:`) && line.endsWith('[warning]'));
    const isReported = own.some((line) => state.isWholeOwner || (line.includes(name) && line.includes(state.sentence)));
    return isReported ? [] : [`${kind} ${name}: ${own.join(' · ')}`];
  });
  const mistakes = lines.filter((line) => !/\[(warning|hint)\]$|has no mistakes$/.test(line));
  t.deepEqual({ silent, mistakes }, { silent: [], mistakes: [] });
});
