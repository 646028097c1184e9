import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { keyhost, ran } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { COMMAND, folder, run } from '../helpers/process.js';

const ADMIN = { KEYHOST_BOOTSTRAP_ADMIN_USERNAME: 'root', KEYHOST_BOOTSTRAP_ADMIN_PASSWORD: 'root-password' };
const PRODUCTION = ['start', '--hostname', 'http://localhost', '--http-enabled'];

test('keyhost console: it signs in an administrator, by a URL or by a page that only its owner can read', async (t) => {
  const dir = await folder(t);
  const data = ['--data-dir', join(dir, 'data')];
  const none = await keyhost(['console', ...data]);
  t.is(none.code, 1);
  t.regex(none.stderr, /no running server uses the data directory .*\n.*keyhost start-dev/);
  const host = await run(t, dir, ['start-dev'], ADMIN);
  t.truthy(host.url, host.output());

  const printed = await keyhost(['console', '--print', '--realm', 'demo', ...data]);
  t.is(printed.code, 0, printed.stderr);
  t.regex(printed.stderr, /^Signs in root once, within 60 seconds:\n$/);
  t.regex(printed.stdout, /^http:\/\/localhost:\d+\/realms\/master\/login-actions\/console-login\?key=[\w-]{43}\n$/);
  const first = await fetchAnswer(printed.stdout.trim(), { redirect: 'manual' });
  t.is(first.status, 302, first.text);
  t.regex(first.headers.get('location') ?? '', /\/admin\/desk\/realms\/demo\/clients\?realm=master$/);
  t.is(first.headers.get('referrer-policy'), 'no-referrer');
  t.regex(first.headers.get('cache-control') ?? '', /no-store/);
  t.regex(first.headers.getSetCookie().join('\n'), /^KEYCLOAK_IDENTITY=.*HttpOnly/m);
  t.is((await fetchAnswer(printed.stdout.trim(), { redirect: 'manual' })).status, 400);

  // The fake browser opener reads the page, and sends its form as a browser does.
  const tools = join(dir, 'tools');
  await mkdir(tools);
  const opener = `#!${process.execPath}
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const file = new URL(process.argv[2]);
const [, action] = /action="([^"]+)"/.exec(readFileSync(file, 'utf8'));
const [, key] = /name="key" value="([^"]+)"/.exec(readFileSync(file, 'utf8'));
const body = new URLSearchParams({ key });
const { mode } = statSync(file);
const seen = ${JSON.stringify(join(dir, 'opened.json'))};
fetch(action, { method: 'POST', body, redirect: 'manual' }).then(({ status, headers }) => {
  const words = process.argv.slice(2);
  const answer = { words, mode: mode & 0o777, status, location: headers.get('location'), key };
  writeFileSync(seen + '.new', JSON.stringify(answer));
  renameSync(seen + '.new', seen);
});
`;
  await writeFile(join(tools, 'xdg-open'), opener);
  await chmod(join(tools, 'xdg-open'), 0o755);
  if (process.platform === 'linux') {
    const opened = await keyhost(['console', ...data], { env: { PATH: `${tools}:${process.env.PATH}` } });
    t.is(opened.code, 0, opened.stderr);
    t.regex(opened.stdout, /^Signed in to http:\/\/localhost:\d+\/admin\/desk\/\n$/);
    // The command ends with the sign-in, which the browser learns later.
    const seen = JSON.parse(await eventually(() => readFile(join(dir, 'opened.json'), 'utf8').catch(() => undefined)));
    t.like(seen, { mode: 0o600, status: 302 });
    t.regex(seen.location, /\/admin\/desk\/\?realm=master$/);
    // Arguments are public on a shared machine.
    t.false(seen.words.join(' ').includes(seen.key));
    t.false((opened.stdout + opened.stderr + host.output()).includes(seen.key));
    t.deepEqual(
      (await readdir(join(dir, 'data'))).filter((name) => name.startsWith('console-')),
      [],
    );
  }
  if (process.platform === 'linux') {
    // Without a sign-in: a killed command leaves nothing behind, or the next one removes it.
    const left = join(dir, 'data/console-AbCdEf');
    await mkdir(left);
    await utimes(left, 1, 1);
    // One that cannot be removed: its paths are longer than the system reads.
    const deep = join(dir, 'data/console-ZyXwVu');
    t.teardown(() => ran('rm', ['-rf', deep]));
    const nest = `for (const name of [process.argv[1], ...Array(20).fill('x'.repeat(250))]) {
  require('node:fs').mkdirSync(name);
  process.chdir(name);
}`;
    t.like(await ran(process.execPath, ['-e', nest, deep]), { code: 0, stderr: '' });
    await utimes(deep, 1, 1);
    await writeFile(join(tools, 'xdg-open'), `#!/bin/sh\n`);
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      const waits = spawn(process.execPath, [COMMAND, 'console', ...data], { env });
      t.teardown(() => waits.kill('SIGKILL'));
      let said = '';
      waits.stderr.on('data', (chunk) => (said += String(chunk)));
      await eventually(() => (said.includes('--print') ? said : undefined));
      t.regex(
        said,
        /^Opening the admin console as root\. Waiting for the browser, for at most 60 seconds\.\n.*npx keyhost console --print/,
      );
      waits.kill(signal);
      t.is(await new Promise((resolve) => waits.once('close', resolve)), code);
    }
    await mkdir(join(dir, 'failing'));
    await writeFile(join(dir, 'failing/xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    for (const place of ['none', 'failing']) {
      const none = await keyhost(['console', ...data], { env: { PATH: join(dir, place) } });
      t.is(none.code, 1);
      t.regex(none.stderr, /no browser can be opened here \[sign_in_failed]\n.*npx keyhost console --print/);
    }
    t.deepEqual(
      (await readdir(join(dir, 'data'))).filter((name) => name.startsWith('console-')),
      ['console-ZyXwVu'],
    );
    // A page that cannot be removed changes nothing about a login that worked.
    t.teardown(() => ran('rm', ['-rf', join(dir, 'data')]));
    const keeping = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(nest)}, require('node:path').join(require('node:url').fileURLToPath(process.argv[2]), '../deep')]);`;
    await writeFile(join(tools, 'xdg-open'), opener.replace('\n', `\n${keeping}\n`));
    const kept = await keyhost(['console', ...data], { env: { PATH: `${tools}:${process.env.PATH}` } });
    t.is(kept.code, 0, kept.stderr);
    t.regex(kept.stdout, /^Signed in to /);
    t.is((await readdir(join(dir, 'data'))).filter((name) => name.startsWith('console-')).length, 2);
  }
  for (const [words, said] of [
    [['--realm', 'none'], /cannot sign in: the server has no realm none.*\n.*with your password at http/],
    [['--username', 'alice'], /cannot sign in: alice is no administrator of the realm master/],
    [['extra'], /unexpected argument "extra"/],
  ] as const) {
    const { code, stderr } = await keyhost(['console', '--print', ...words, ...data]);
    t.is(code, 1);
    t.regex(stderr, said);
  }
});

test('keyhost console: in production, and if others reach the server, it explains how to sign in instead', async (t) => {
  const dir = await folder(t, [{ realm: 'plain', enabled: true }]);
  const data = ['--data-dir', join(dir, 'data')];
  for (const [argv, said] of [
    [PRODUCTION, /the server runs in production mode/],
    [['start-dev', '--http-host', '0.0.0.0'], /the server listens on 0\.0\.0\.0, which others can reach/],
    [['start-dev', '--proxy-headers', 'xforwarded'], /the server is behind a proxy/],
    [
      ['start-dev', '--hostname', 'https://id.example.com'],
      /the server has the public address https:\/\/id\.example\.com/,
    ],
  ] as const) {
    const host = await run(t, dir, [...argv], ADMIN);
    t.truthy(host.url, host.output());
    const { code, stdout, stderr } = await keyhost(['console', '--print', ...data]);
    t.is(code, 1, stdout);
    t.is(stdout, '');
    t.regex(stderr, said);
    t.regex(stderr, /sign in with your password at https?:\/\/\S+\/admin\//);
    const guessed = await fetchAnswer(`${host.url}/realms/master/login-actions/console-login?key=x`);
    t.is(guessed.status, argv[0] === 'start' ? 404 : 400);
    host.child.kill('SIGTERM');
    await host.ended;
  }
});
