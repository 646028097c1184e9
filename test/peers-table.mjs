import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What `npm run test:peers` found last, test by test. */
const TABLE = fileURLToPath(new URL('PEERS.md', import.meta.url));
const HEAD = `# Beside other products

Each test of \`npm run test:peers\`, when it last ran, beside what, and how it ended. The command writes this table.

| date | beside | test | result |
| --- | --- | --- | --- |
`;
const ROW = /^\| (\d{4}-\d\d-\d\d) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm;
const RAN = /^ +(✔|✘ \[fail\]:) (.+?)(?: \(([\d.ms ]+)\))?$/gm;

/**
 * Writes what has run into the table; a test that was skipped keeps its row.
 * @param output what AVA printed
 * @param env names the other products: KEYCLOAK_HOME
 */
export function writePeersTable(output, env = process.env, now = new Date(), file = TABLE) {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rows = new Map([...old.matchAll(ROW)].map((row) => [row[3], row[0]]));
  const beside = keycloakOf(env.KEYCLOAK_HOME);
  for (const [, mark, title, took = ''] of output.matchAll(RAN)) {
    const test = title.replaceAll('|', '/').trim();
    const result = mark === '✔' ? `passed${took && ` in ${took}`}` : 'failed';
    rows.set(test, `| ${now.toISOString().slice(0, 10)} | ${beside} | ${test} | ${result} |`);
  }
  if (rows.size > 0)
    writeFileSync(
      file,
      `${HEAD}${[...rows.keys()]
        .sort()
        .map((key) => rows.get(key))
        .join('\n')}\n`,
    );
}

/** Keycloak's distribution says its version in version.txt: "Keycloak - Version 26.7.3". */
function keycloakOf(home) {
  const file = home && join(home, 'version.txt');
  if (!file || !existsSync(file)) return '–';
  return `Keycloak ${/[\d.]+/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''}`.trim();
}
