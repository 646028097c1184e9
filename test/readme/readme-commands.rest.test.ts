import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost, ran } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { Browser, signIn } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { fetchAnswer } from '../helpers/host.js';
import type { Run } from '../helpers/process.js';
import { type Block, commandBlocks, docsPages, ROOT, runPrinted, shapeOf, snippet } from '../helpers/readme-blocks.js';
import { cloneFolder, OF_CLONE, started } from './started-clone.js';

const TUTORIAL = 'core/docs/tutorial/first-plugin.md';
const READMES = [
  'README.md',
  ...(await docsPages()),
  'core/account/README.md',
  'core/admin/README.md',
  'core/spi/README.md',
  'core/registry/worker/README.md',
  'realms/README.md',
  'providers/README.md',
  'providers/books/README.md',
];

/** Blocks that this test does not run, by the beginning of their name, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'README.md: git clone': 'it is how whoever runs this test came here',
  'README.md: npm run bench': 'it takes minutes: test/bench/bench-command.rest.test.ts runs a short one',
  'core/docs/how-to/install-from-npm.md: mkdir my-identity':
    'test/packages/installed.rest.test.ts does so with what is packed here',
  'core/docs/how-to/backup.md: keyhost backup':
    'its folders are of a server: test/commands/backup-command.test.ts makes and restores a backup',
  'core/docs/how-to/backup.md: pg_dump': 'it needs PostgreSQL: test/deploy/database-backup.rest.test.ts does so',
  'core/docs/how-to/backup.md: keyhost store copy':
    'it needs PostgreSQL: test/commands/store-copy-command.rest.test.ts does so',
  'core/docs/how-to/frameworks/': 'test/readme/framework-pages.rest.test.ts runs the apps',
  'core/docs/how-to/several-nodes.md: keyhost start':
    'it needs PostgreSQL: test/faults/faults.rest.test.ts starts nodes so, on Patroni',
  'core/docs/how-to/second-factor.md: ': 'test/readme/admin-tasks.rest.test.ts runs it',
  'core/docs/how-to/password-rules.md: ': 'it is run there, too',
  'core/docs/how-to/rotate-keys.md: ': 'it is run there, too',
  'core/docs/how-to/why-cant-she-sign-in.md: ': 'it is run there, too',
  'core/docs/tutorial/first-login.md: ': 'test/readme/framework-pages.rest.test.ts runs it',
  'core/docs/tutorial/from-keycloak.md: ': 'test/readme/from-keycloak.rest.test.ts does what the page says',
  [`${TUTORIAL}: $ npx keyhost plugin new`]: 'it has a test of its own below',
  [`${TUTORIAL}: $ TOKEN=`]: 'it belongs to that test',
  'realms/README.md: $ keyhost realm plan':
    'its file is invented: test/commands/realm-command.rest.test.ts says what is printed',
  'providers/README.md: $ keyhost plugin reload': 'its plugin is invented: test/registry/reload.test.ts reloads one',
};

const whyNot = ({ name }: Block) => Object.entries(NOT_RUN).find(([start]) => name.startsWith(start));

/** A printed text with the ports of a host under test. */
function atPorts(text: string, output: string): string {
  const [, http = '', grpc = '', management = ''] =
    /^Keyhost ready http=http:\/\/(\S+) grpc=(\S+) management=http:\/\/(\S+)/m.exec(output) ?? [];
  return text
    .replaceAll('127.0.0.1:8080', http)
    .replaceAll('127.0.0.1:9090', grpc)
    .replaceAll('127.0.0.1:9000', management)
    .replaceAll('npm run -s books --', `npm run -s books -- --address ${grpc}`)
    .replaceAll('npm run -s books', `npm run -s --prefix ${ROOT} books`)
    .replaceAll('npx buf', join(ROOT, 'node_modules/.bin/buf'));
}

/** The client and the application in the README, moved to a free port. */
async function shownApp() {
  const client = await snippet('core/docs/how-to/connect-an-app.md', '{ "clientId": "my-app"');
  const code = await snippet('README.md', '// app.mjs');
  const port = await freePort();
  const moved = (text: string) => text.replaceAll('localhost:3000', `127.0.0.1:${port}`);
  return {
    client: moved(client),
    code: moved(code).replace('listen(3000)', `listen(${port}, '127.0.0.1')`),
    url: `http://127.0.0.1:${port}/`,
  };
}

/** Starts that application, and signs alice in to it. */
async function greeting(t: ExecutionContext, { code, url }: { code: string; url: string }, host: Run): Promise<string> {
  // Inside the build output, where openid-client is found.
  const dir = await mkdtemp(join(ROOT, 'dist', 'app-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'app.mjs'), code.replaceAll('http://localhost:8080', host.url ?? ''));
  const app = spawn(process.execPath, [join(dir, 'app.mjs')], { stdio: 'inherit' });
  t.teardown(() => app.kill());
  const browser = new Browser();
  const first = await eventually(() => browser.open(url).catch(() => undefined));
  const callback = await signIn(browser, first?.location?.href ?? '', { username: 'alice', password: 'alice' });
  return (await browser.open(callback.location?.href ?? '')).text;
}

test('README commands: every printed command runs and answers as printed, or has a reason here', async (t) => {
  const dir = await cloneFolder(t);
  const app = await shownApp();
  const realmFile = join(dir, 'realms/demo.json');
  const realm = await readFile(realmFile, 'utf8');
  await writeFile(realmFile, realm.replace('"clients": [', `"clients": [\n    ${app.client.trim()},`));
  const host = await started(t, dir, OF_CLONE);
  t.not(host.url, undefined, host.output());
  const PASSWORD = /shown only once\): admin \/ (\S+)/.exec(host.output())?.[1] ?? '';
  t.is(await greeting(t, app, host), 'Hello, alice');
  const notRun = new Set<string>();
  for (const file of READMES) {
    let before = ':\n';
    for (const block of await commandBlocks(file)) {
      const [start, reason] = whyNot(block) ?? [];
      if (start !== undefined) {
        t.log(`${block.name} is not run: ${reason}`);
        notRun.add(start);
        continue;
      }
      // Commands that work on a store of their own: the host that runs has the other.
      const ownStore: Record<string, string> = block.name.includes('keyhost realm check')
        ? { KEYHOST_DATA_DIR: join(dir, 'own') }
        : {};
      const commands = block.printed.map(({ command }) => atPorts(command, host.output()));
      // Variables that a README has set before, such as BASE and TOKEN, are set in its later blocks.
      const { code, outputs, stderr } = await runPrinted([before, ...commands], {
        cwd: dir,
        env: { ...OF_CLONE, ...ownStore, PASSWORD, ID: 'a11ce000-0000-4000-8000-000000000001' },
      });
      t.true(code === 0 || (code === 2 && block.name.includes('keyhost realm')), `${block.name}\n${code} ${stderr}`);
      t.notRegex(stderr, /options_invalid|command not found|\n\s+at /, block.name);
      for (const [index, { command, output }] of block.printed.entries()) {
        const answered = outputs[index + 1] ?? '';
        if (output !== '') t.deepEqual(shapeOf(answered), shapeOf(output), command);
        else t.notRegex(answered, /"error":"(?!invalid_request")/, command);
      }
      before += block.name.includes('BASE=') ? `${commands.join('\n')}\n` : '';
    }
  }
  t.deepEqual([...notRun].sort(), Object.keys(NOT_RUN).sort(), 'each reason is for a block that is there');
  for (const name of ['realm', 'plugins']) {
    const path = `realms/schema/${name}.schema.json`;
    t.is(await readFile(join(dir, path), 'utf8'), await readFile(join(ROOT, path), 'utf8'), path);
  }
});

test('README commands: the story of a plugin goes as its page prints it, line by line, and so do the plugins that it and the README show', async (t) => {
  // Inside the build output, where tools and @keyhost/spi are found as in a clone, without an npm install of all of
  // them.
  const dir = await mkdtemp(join(ROOT, 'dist', 'story-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const keep = (path: string) => !/\/(dist|node_modules)$/.test(path);
  for (const name of ['package.json', 'tsconfig.json', 'core/spi', 'realms'])
    await cp(join(ROOT, name), join(dir, name), { recursive: true, filter: keep });
  await mkdir(join(dir, 'providers'));
  await mkdir(join(dir, 'node_modules'));
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }\n');
  const demo = { realm: 'demo', clients: [{ clientId: 'cli', publicClient: true, directAccessGrantsEnabled: true }] };
  const alice = { username: 'alice', email: 'alice@example.com', firstName: 'A', lastName: 'E' };
  const users = [{ ...alice, enabled: true, credentials: [{ type: 'password', value: 'alice' }] }];
  const realmFile = join(dir, 'realms/demo.json');
  await writeFile(realmFile, JSON.stringify({ ...demo, enabled: true, users }, null, 2));
  const unchanged = await readFile(realmFile, 'utf8');

  const blocks = await commandBlocks(TUTORIAL);
  const [make, ask] = ['$ npx keyhost plugin new', '$ TOKEN='].map((start) =>
    blocks.find(({ name }) => name.startsWith(`${TUTORIAL}: ${start}`)),
  );
  const outputs: string[] = [];
  for (const { command } of make?.printed ?? []) {
    if (command.startsWith('npm install')) {
      await symlink(join(dir, 'providers/hello'), join(dir, 'node_modules/hello'));
      continue;
    }
    const answered = await runPrinted([command], { cwd: dir, env: {} });
    t.is(answered.code, 0, `${command}${answered.outputs}${answered.stderr}`);
    outputs.push(answered.outputs.join(''));
  }
  t.regex(
    outputs.at(-1) ?? '',
    /^realms\/demo\.json:\d+:\d+ realm-restapi-extension\/hello is enabled in realm demo\n$/,
  );

  // The line that `plugin add` prints does the same, pasted.
  const line = /add this to a realm file:\n\s+(.*)\n/.exec(outputs.at(-2) ?? '')?.[1] ?? '';
  const pasted = unchanged.replace('"realm": "demo",', `"realm": "demo",\n  ${line},`);
  const byCommand = JSON.parse(await readFile(realmFile, 'utf8'));
  t.deepEqual(JSON.parse(pasted), byCommand);
  await writeFile(realmFile, pasted);

  const host = await started(t, dir);
  t.not(host.url, undefined, host.output());
  const commands = (ask?.printed ?? []).map(({ command }) =>
    command.replaceAll('http://127.0.0.1:8080', host.url ?? ''),
  );
  const asked = await runPrinted(commands, { cwd: dir, env: {} });
  t.deepEqual(JSON.parse(asked.outputs.at(-1) ?? ''), JSON.parse(ask?.printed.at(-1)?.output ?? '{}'));

  await rm(join(dir, 'providers/hello/index.test.ts'));
  const shown: [string, object][] = [
    ['README.md', { text: 'Hello, you' }],
    [TUTORIAL, { text: 'Hello, you', realm: 'demo' }],
  ];
  for (const [page, answer] of shown) {
    await writeFile(join(dir, 'providers/hello/index.ts'), await snippet(page, '// providers/hello/index.ts'));
    const built = await ran(join(ROOT, 'node_modules/.bin/tsc'), ['-b', 'providers/hello'], { cwd: dir });
    t.is(built.code, 0, built.stdout);
    const reloaded = await keyhost(['plugin', 'reload', '--data-dir', join(dir, '.data')], { cwd: dir });
    t.is(reloaded.code, 0, reloaded.stdout + reloaded.stderr);
    const { json } = await fetchAnswer(`${host.url}/realms/demo/hello/you`);
    t.deepEqual(json, answer, page);
  }
});
