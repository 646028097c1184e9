import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { ran } from '../helpers/command.js';
import { startHost } from '../helpers/host.js';
import { COMPARED_REALM } from './compare/compared-realm.js';
import type { Results } from './print/results.js';

const BENCH = fileURLToPath(new URL('./bench.js', import.meta.url));
/** It reads /proc. */
const onLinux = process.platform === 'linux' ? test : test.skip;

const bench = (...words: string[]) => ran(process.execPath, [BENCH, ...words]);

async function temporary(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-bench-test-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

onLinux(
  'npm run bench: a quick run measures beside peers and beside a server that is running, and writes the table in its place',
  async (t) => {
    const { url } = await startHost(t, { realms: [COMPARED_REALM as object as RealmRepresentation], plugins: [] });
    const dir = await temporary(t);
    const json = join(dir, 'figures.json');
    const page = join(dir, 'page.md');
    await writeFile(page, '# Speed\n\n<!-- bench:begin -->\nof last year\n<!-- bench:end -->\n\nThe end.\n');
    const files = ['--json', json, '--write', page];
    const other = ['--compare', `other=${url}/realms/bench`, '--compare-pid', String(process.pid)];
    const login = ['--compare-client', 'bench:not-the-secret'];
    const { code, stdout, stderr } = await bench(
      '--quick',
      '--only',
      'discovery,compare: client',
      ...files,
      ...other,
      ...login,
    );
    t.is(code, 0, stderr);
    t.regex(stdout, /^discovery {2,}\d+ µs {2,}\d+ µs \(bare node:http\) {2,}[\d.]+ × {2,}≤ 1\.1 × {2,}(met|missed)$/m);
    t.regex(stdout, /^discovery {2,}[\d.]+ ms, \d+\/s, p99 \d+ ms {2,}[\d.]+ ms \([\d.]+ ×\), \d+\/s, p99 \d+ ms$/m);
    t.regex(stdout, /^client credentials, other: \S+\/token answered 401: \w+$/m);
    t.regex(stderr, /^\[\d+:\d\d left\] discovery: run 1 of 1$/m);
    const { circumstances, nodes } = JSON.parse(await readFile(json, 'utf8')) as Results;
    t.is(nodes[0]?.node, process.version);
    t.deepEqual(
      nodes[0]?.figures.map(({ name }) => name),
      ['discovery', 'discovery, against a product'],
    );
    t.deepEqual(
      nodes[0]?.comparisons.map(({ name }) => name),
      ['discovery', 'client credentials'],
    );
    t.false(circumstances.command.includes('not-the-secret'));
    const text = await readFile(page, 'utf8');
    t.regex(text, /^# Speed\n\n<!-- bench:begin -->\n\n```sh\nnpm run bench -- --quick /);
    t.regex(text, /\n\| what \| Keyhost \| beside \| ratio \|\n/);
    t.regex(text, /\n\| discovery \| \d+ µs \| \d+ µs \(bare node:http\) \| [\d.]+ × \|\n/, 'goals are not in it');
    t.regex(text, /\n<!-- bench:end -->\n\nThe end\.\n$/);
    t.false(text.includes('of last year') || text.includes('not-the-secret'));
  },
);

test('npm run bench: an invalid option is refused with the reason, before anything is measured', async (t) => {
  const page = join(await temporary(t), 'page.md');
  await writeFile(page, 'no place for a table\n');
  const wrong: [string[], RegExp][] = [
    [['--fast'], /Unknown option '--fast'/],
    [['--runs', '0'], /--runs 0: it takes a whole number above 0/],
    [['--quick', '--runs', '3'], /--quick says itself how often/],
    [['--only', 'nothing of the kind'], /--only nothing of the kind: nothing is called so/],
    [['--node', '/no/such/node'], /--node \/no\/such\/node: it is no program/],
    [['--compare', '127.0.0.1:8080'], /--compare 127\.0\.0\.1:8080: it takes a name and an issuer/],
    [['--against', 'no-such-commit'], /--against no-such-commit: it is no commit of this repository/],
    [['--compare-pid', '1'], /--compare-pid says something of a server that --compare names, and there is none/],
    [['--write', page], /it has no <!-- bench:begin --> with <!-- bench:end --> after it/],
  ];
  for (const [words, reason] of wrong) {
    const { code, stdout, stderr } = await bench(...words);
    t.deepEqual([code, stdout], [2, ''], words.join(' '));
    t.regex(stderr, reason);
  }
});

test('npm run bench: a missing server, or one that is no OIDC server, ends the run before it begins', async (t) => {
  const server = createServer((_, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = await bench('--quick', '--compare', `other=${url}`);
  t.deepEqual([other.code, other.stdout], [1, '']);
  t.regex(
    other.stderr,
    /^npm run bench: --compare other=\S+: no OIDC server: \S+openid-configuration is not the metadata of one$/m,
  );
  await new Promise((resolve) => server.close(resolve));
  const gone = await bench('--quick', '--compare', `gone=${url}`);
  t.deepEqual([gone.code, gone.stdout], [1, '']);
  t.regex(gone.stderr, /^npm run bench: --compare gone=\S+: nothing answers there \(ECONNREFUSED\)$/m);
});

test('npm run bench: --help names every option, and --list every measurement', async (t) => {
  const help = await bench('--help');
  t.is(help.code, 0);
  for (const option of [
    'only',
    'list',
    'quick',
    'runs',
    'seconds',
    'node',
    'against',
    'table',
    'markdown',
    'write',
    'json',
    'help',
  ]) {
    t.regex(help.stdout, new RegExp(`^  --${option}\\b`, 'm'));
  }
  for (const option of ['', '-client', '-user', '-pid'])
    t.regex(help.stdout, new RegExp(`^  --compare${option} `, 'm'));
  const against = await bench('--against', 'HEAD', '--list');
  t.regex(against.stdout, /^refresh ES256 +\d+ s$/m);
  t.regex(against.stdout, /^start and memory at rest +\d+ s$/m);
  t.notRegex(against.stdout, /product|10,000/);
  const list = await bench('--list');
  t.regex(list.stdout, /^introspection +\d+ s$/m);
  t.regex(list.stdout, /^start and memory at rest +\d+ s$/m);
});
