import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { Browser, follow } from '../helpers/form-browser.js';
import { freePort } from '../helpers/free-port.js';
import { ROOT, snippet } from '../helpers/readme-blocks.js';
import { cloneFolder, OF_CLONE, started } from './started-clone.js';

const FOLDER = 'core/docs/how-to/frameworks';
const NOT_RUN = 'Our tests do not run this page';

/** An app of a page, at a port of its own. */
interface App {
  readonly kind: Kind;
  readonly page: string;
  readonly text: string;
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
    const [packages = ''] = /(?<=`pip install )[^`]+/.exec(text) ?? [];
    const venv = await ran('python3', ['-m', 'venv', 'venv'], { cwd: dir });
    t.is(venv.code, 0, venv.stderr);
    const pip = join(dir, 'venv/bin/pip');
    const { code, stderr } = await ran(pip, ['install', '-q', ...packages.split(' ')], { cwd: dir });
    t.is(code, 0, stderr);
  },
  command: (dir, port) => [join(dir, 'venv/bin/flask'), 'run', '--port', String(port)],
};

/** The apps of the pages whose code is in this language. */
export async function appsOfPages(language: 'js' | 'python'): Promise<App[]> {
  const names = (await readdir(join(ROOT, FOLDER))).map((name) => `${FOLDER}/${name}`);
  const apps = ['core/docs/tutorial/first-login.md', ...names].map(async (page) => {
    const port = await freePort();
    const text = (await readFile(join(ROOT, page), 'utf8')).replaceAll('localhost:3000', `localhost:${port}`);
    return { page, text, port };
  });
  return (await Promise.all(apps))
    .filter(({ text }) => !text.includes(NOT_RUN) && text.includes(`\`\`\`${language}\n`))
    .map((app) => ({ ...app, kind: language === 'js' ? NODE : PYTHON }));
}

/** Alice signs in to the apps, installed and started as their pages say, and signs out where the page says how. */
export async function signInToApps(t: ExecutionContext, apps: readonly App[]): Promise<void> {
  t.timeout(600_000);
  const folder = await cloneFolder(t);
  const realmFile = join(folder, 'realms/demo.json');
  const realm = JSON.parse(await readFile(realmFile, 'utf8')) as { clients: unknown[] };
  for (const { page, port } of apps) {
    const client = await snippet(page, '{');
    realm.clients.push(JSON.parse(client.replaceAll('localhost:3000', `localhost:${port}`)));
  }
  await writeFile(realmFile, JSON.stringify(realm));
  const host = await started(t, folder, OF_CLONE);
  t.not(host.url, undefined, host.output());

  for (const { page, text, port, kind } of apps) {
    const dir = await mkdtemp(join(tmpdir(), 'keyhost-app-'));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    await kind.install(t, text, dir);
    const code = /```(?:js|python)\n((?:\/\/|#) app\.[\s\S]*?)```/.exec(text)?.[1] ?? '';
    const moved = code
      .replaceAll('http://localhost:8080', host.url ?? '')
      .replace(/listen\((\{ port: )?3000/, `listen($1${port}`);
    await writeFile(join(dir, kind.file), moved);
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
