import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { keyhost, ran } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { Browser, follow } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { ROOT, snippet } from '../helpers/readme-blocks.js';
import { cloneFolder, OF_CLONE, started } from './started-clone.js';

const FOLDER = 'core/docs/how-to/frameworks';
const TUTORIAL = 'core/docs/tutorial/first-login.md';

/** An app of a page, at a port of its own. */
interface App {
  readonly kind: Kind;
  readonly page: string;
  readonly port: number;
}

/** How an app is installed and started in its folder. */
interface Kind {
  readonly file: string;
  readonly install: (t: ExecutionContext, text: string, dir: string) => Promise<void>;
  readonly command: (dir: string, port: number) => readonly [string, ...string[]];
}

const NODE: Kind = {
  file: 'app.mjs',
  async install(t, text, dir) {
    await writeFile(join(dir, 'package.json'), '{ "private": true }');
    const [packages = ''] = /(?<=^npm install ).+$/m.exec(text) ?? [];
    const { code, stderr } = await ran('npm', ['install', '--no-audit', '--no-fund', ...packages.split(' ')], {
      cwd: dir,
    });
    t.is(code, 0, stderr);
  },
  command: (dir) => [process.execPath, join(dir, 'app.mjs')],
};

const PYTHON: Kind = {
  file: 'app.py',
  async install(t, text, dir) {
    const [packages = ''] = /(?<=^pip install ).+$/m.exec(text) ?? [];
    const venv = await ran('python3', ['-m', 'venv', 'venv'], { cwd: dir });
    t.is(venv.code, 0, venv.stderr);
    const pip = join(dir, 'venv/bin/pip');
    const { code, stderr } = await ran(pip, ['install', '-q', ...packages.replaceAll("'", '').split(' ')], {
      cwd: dir,
    });
    t.is(code, 0, stderr);
  },
  command: (dir, port) => [join(dir, 'venv/bin/flask'), 'run', '--port', String(port)],
};

/** The apps of the pages whose code is in this language. */
export async function appsOfPages(language: 'js' | 'python'): Promise<App[]> {
  const names = (await readdir(join(ROOT, FOLDER))).map((name) => `${FOLDER}/${name}`);
  const pages = [TUTORIAL, ...names].map(async (page) => ({ page, text: await readFile(join(ROOT, page), 'utf8') }));
  const run = (await Promise.all(pages)).filter(
    ({ page, text }) => (page === TUTORIAL || /^tried: test$/m.test(text)) && text.includes(`\`\`\`${language}\n`),
  );
  const kind = language === 'js' ? NODE : PYTHON;
  return Promise.all(run.map(async ({ page }) => ({ page, kind, port: await freePort() })));
}

/**
 * Alice signs in to the apps, installed and started as their pages describe, and signs out if the page describes that.
 */
export async function signInToApps(t: ExecutionContext, apps: readonly App[]): Promise<void> {
  t.timeout(600_000);
  const folder = await cloneFolder(t);
  const realmFile = join(folder, 'realms/demo.json');
  const realm = JSON.parse(await readFile(realmFile, 'utf8')) as { clients: unknown[] };
  for (const { port } of apps.filter(({ page }) => page === TUTORIAL)) {
    const client = await snippet(TUTORIAL, '{');
    realm.clients.push(JSON.parse(client.replaceAll('localhost:3000', `localhost:${port}`)));
  }
  await writeFile(realmFile, JSON.stringify(realm));
  const host = await started(t, folder, OF_CLONE);
  t.not(host.url, undefined, host.output());

  for (const { page, port, kind } of apps) {
    const text = page === TUTORIAL ? await tutorial(port, host.url) : await created(t, page, port, folder);
    const dir = await mkdtemp(join(tmpdir(), 'keyhost-app-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    await kind.install(t, text, dir);
    const code = /^((?:\/\/|#) app\.[\s\S]*?)\n(?:```|─+)$/m.exec(text)?.[1] ?? '';
    await writeFile(join(dir, kind.file), code);
    const [command, ...argv] = kind.command(dir, port);
    const app = spawn(command, argv, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
    t.teardown(() => app.kill());

    const browser = new Browser();
    const home = `http://localhost:${port}/`;
    const first = await eventually(() => browser.open(home).catch(() => undefined));
    const link = /<a href="(\/login)">Sign in</.exec(first.text)?.[1];
    const login = await follow(browser, link === undefined ? first : await browser.open(new URL(link, home).href));
    const done = await browser.submit(login, { username: 'alice', password: 'alice' });
    t.regex((await follow(browser, done)).text, /^Hello, Alice Example/, page);
    if (!code.includes('/logout')) continue;
    await follow(browser, await browser.open(`${home}logout`));
    t.notRegex((await follow(browser, await browser.open(home))).text, /Hello/, page);
    // The session at the host has ended, too: the next login asks for a password.
    t.regex((await follow(browser, await browser.open(`${home}login`))).text, /name="password"/, page);
  }
}

/** The tutorial, at this port. */
async function tutorial(port: number, host = ''): Promise<string> {
  const text = await readFile(join(ROOT, TUTORIAL), 'utf8');
  return text
    .replaceAll('localhost:3000', `localhost:${port}`)
    .replaceAll('http://localhost:8080', host)
    .replace('listen(3000', `listen(${port}`);
}

/** The output of `keyhost client create` for the framework of a page, once the running host has the client. */
async function created(t: ExecutionContext, page: string, port: number, folder: string): Promise<string> {
  const framework = basename(page, '.md');
  const app = [
    '--realm',
    'demo',
    '--framework',
    framework,
    '--name',
    `My ${framework} app`,
    '--url',
    `http://localhost:${port}`,
  ];
  const places = ['--realms-dir', join(folder, 'realms'), '--data-dir', join(folder, '.data')];
  const { code, stdout, stderr } = await keyhost(['client', 'create', ...app, ...places]);
  t.is(code, 0, stderr);
  t.regex(stdout, /The server has applied it/);
  return stdout;
}
