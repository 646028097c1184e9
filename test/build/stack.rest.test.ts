import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { keyhost, ran } from '../helpers/command.js';
import { COMMAND } from '../helpers/process.js';

const ROOT = dirname(dirname(COMMAND));

/** Throws what a class of the host throws, within the bundle. */
const THROWS = `const { openTestHost } = require(${JSON.stringify(join(ROOT, 'dist/bundle/test-host.js'))});
openTestHost({ argv: ['--http-port', 'x'], plugins: [], realms: [] }).catch(({ stack }) => console.log(stack));`;

test('stack command: a stack of the bundle becomes one of the sources, from a file, a log and a pipe', async (t) => {
  const { stdout: stack } = await ran(process.execPath, ['-e', THROWS]);
  t.regex(stack, /at OptionReader\.throwIfInvalid \(\S+\/dist\/bundle\/[\w-]+\.js:\d+:\d+\)/, 'names are kept');
  t.notRegex(stack, /core\/config/);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-stack-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'stack.txt');
  await writeFile(file, stack.replaceAll(ROOT, '/opt/keyhost'));
  const told = await keyhost(['stack', file]);
  t.is(told.code, 0, told.stderr);
  const [, source = '', line = '', column = ''] =
    /throwIfInvalid \((core\/config\/\S+\.ts):(\d+):(\d+)\)/.exec(told.stdout) ?? [];
  const code = (await readFile(join(ROOT, source), 'utf8')).split('\n')[Number(line) - 1];
  t.regex(code?.slice(Number(column) - 1) ?? '', /^new BootError\(/);
  t.is(told.stdout.split('\n')[0], stack.split('\n')[0], 'what is no place stays as it is');

  await writeFile(file, `${JSON.stringify({ level: 50, stack })}\n`);
  const logged = JSON.parse((await keyhost(['stack', file])).stdout) as { stack: string };
  t.is(logged.stack, told.stdout.replace('/opt/keyhost', ROOT));

  const piped = spawn(process.execPath, [COMMAND, 'stack']);
  piped.stdin.end(stack);
  let out = '';
  for await (const chunk of piped.stdout) out += String(chunk);
  t.is(out, logged.stack);
});

test('stack command: unknown positions stay, a missing file is named, and --help works', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-stack-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'stack.txt');
  const other = '    at a (/opt/dist/bundle/none-such.js:1:1)\n    at b (/srv/app.js:3:4)\n';
  await writeFile(file, other);
  t.is((await keyhost(['stack', file])).stdout, other);
  const missing = await keyhost(['stack', join(dir, 'none.txt')]);
  t.is(missing.code, 1);
  t.regex(missing.stderr, /^keyhost: cannot read \S+none\.txt \(ENOENT\) \[options_invalid]\n$/);
  t.regex((await keyhost(['stack', 'a', 'b'])).stderr, /unexpected argument "b"/);
  const help = await keyhost(['stack', '--help']);
  t.is(help.code, 0);
  t.regex(help.stdout, /Usage: keyhost stack \[FILE\]/);
});
