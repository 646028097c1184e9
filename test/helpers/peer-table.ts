import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const HEAD = `# Beside other products

Each test of \`npm run test:peers\`, when it last ran, beside what, and how it ended. The tests write this table.

The suites of tools that administer Keycloak are run by hand, as they are: what was changed beside the address stands in the row.
Their rows say how many of their tests pass, and how many pass at Keycloak. What passes there and not here has its reason behind it.

| date | beside | test | result |
| --- | --- | --- | --- |
`;
const ROW = /^\| (?:[^|]*) \| (?:[^|]*) \| ([^|]*) \| (?:[^|]*) \|$/;

export interface PeerRow {
  readonly date: Date;
  /** The product with its version. */
  readonly beside: string;
  /** The title, which identifies the row. */
  readonly test: string;
  readonly result: string;
}

/** Replaces the row of a test; rows of tests that did not run stay. */
export async function writePeerRow(
  { date, beside, test, result }: PeerRow,
  file = fileURLToPath(new URL('../../../test/PEERS.md', import.meta.url)),
): Promise<void> {
  const old = await readFile(file, 'utf8').catch(() => '');
  const lines = old.split('\n').filter((line) => /^\| \d/.test(line));
  const rows = new Map(lines.map((line) => [ROW.exec(line)?.[1] ?? line, line]));
  const title = test.replaceAll('|', '/');
  rows.set(title, `| ${date.toISOString().slice(0, 10)} | ${beside} | ${title} | ${result} |`);
  const sorted = [...rows.keys()].sort().map((key) => rows.get(key));
  await writeFile(file, `${HEAD}${sorted.join('\n')}\n`);
}
