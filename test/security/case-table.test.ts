import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const HERE = fileURLToPath(new URL('../../../test/security/', import.meta.url));

interface Row {
  readonly id: string;
  readonly state: string;
  /** Files named in the row, relative to this folder. */
  readonly files: readonly string[];
}

async function readTable(): Promise<{ rows: Row[]; counts: Map<string, number> }> {
  const text = await readFile(join(HERE, 'README.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (T\d{3}) +\| .+? +\| (run here|proven by|not applicable)(.*?) *\|$/gm)].map(
    ([, id = '', state = '', where = '']) => ({
      id,
      state,
      files: [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file).sort(),
    }),
  );
  const counts = [...text.matchAll(/^- (run here|proven by|not applicable)\b.*: (\d+)$/gm)].map(
    ([, state = '', count]) => [state, Number(count)] as const,
  );
  return { rows, counts: new Map(counts) };
}

/** The files whose test titles start with each id. */
async function readTitles(): Promise<Map<string, string[]>> {
  const files = new Map<string, Set<string>>();
  for (const name of (await readdir(HERE)).filter((file) => file.endsWith('.test.ts') && file !== OWN)) {
    const source = await readFile(join(HERE, name), 'utf8');
    for (const [, ids = ''] of source.matchAll(/\b(?:test(?:\.serial)?|browserTest)\(\s*['"`]((?:T\d{3} )+)·/g)) {
      for (const id of ids.trim().split(' ')) files.set(id, (files.get(id) ?? new Set()).add(name));
    }
  }
  return new Map([...files].map(([id, names]) => [id, [...names].sort()]));
}

const OWN = basename(fileURLToPath(import.meta.url)).replace(/\.js$/, '.ts');

test('table of security cases: it names the test of each case that runs here, and of no other', async (t) => {
  const { rows } = await readTable();
  const told = rows.filter(({ state }) => state === 'run here').map(({ id, files }) => [id, files] as const);
  const run = [...(await readTitles())].sort(([a], [b]) => (a < b ? -1 : 1));
  t.true(run.length > 100);
  t.deepEqual(told, run);
});

test('table of security cases: every test of this folder names its cases', async (t) => {
  for (const name of (await readdir(HERE)).filter((file) => file.endsWith('.test.ts') && file !== OWN)) {
    const source = await readFile(join(HERE, name), 'utf8');
    const all = source.match(/^(?:test(?:\.serial)?|browserTest)\(/gm)?.length;
    t.is(source.match(/^(?:test(?:\.serial)?|browserTest)\(\s*['"`](?:T\d{3} )+·/gm)?.length, all, name);
  }
});

test('table of security cases: the table has each case once, in order, and its counts are right', async (t) => {
  const { rows, counts } = await readTable();
  const ids = rows.map(({ id }) => id);
  t.deepEqual(ids, [...new Set(ids)].sort());
  t.is(ids.length, 586);
  for (const state of ['run here', 'proven by', 'not applicable'])
    t.is(counts.get(state), rows.filter((row) => row.state === state).length, state);
});

test('table of security cases: the files that prove other cases are there', async (t) => {
  const { rows } = await readTable();
  for (const { id, state, files } of rows) {
    if (state !== 'not applicable') t.true(files.length > 0, id);
    for (const file of files) t.true(existsSync(join(HERE, file)), `${id}: ${file}`);
  }
});
