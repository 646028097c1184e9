import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { keyhost, type Ran, ran } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder, run } from '../helpers/process.js';

/** How a program that checks tokens is run. Its installation is the printed command. */
interface Language {
  readonly title: string;
  readonly file: string;
  /** The program that must be installed. */
  readonly needs: readonly string[];
  readonly command: (dir: string, token: string) => readonly [string, ...string[]];
  /** Replaces the program of an install command, to keep what it installs in the folder. */
  readonly install?: (command: string) => string;
}

export const LANGUAGES: readonly Language[] = [
  {
    title: 'JavaScript',
    file: 'check-token.mjs',
    needs: ['npm', '--version'],
    command: (dir, token) => [process.execPath, join(dir, 'check-token.mjs'), token],
  },
  {
    title: 'Python',
    file: 'check_token.py',
    needs: ['python3', '-m', 'venv', '--help'],
    install: (command) => `python3 -m venv venv && venv/bin/${command}`,
    command: (dir, token) => [join(dir, 'venv/bin/python'), 'check_token.py', token],
  },
  { title: 'Go', file: 'main.go', needs: ['go', 'version'], command: (_, token) => ['go', 'run', '.', token] },
  {
    title: 'Java',
    file: 'CheckToken.java',
    needs: ['mvn', '--version'],
    command: (_, token) => ['java', '-cp', 'nimbus-jose-jwt-10.0.2.jar', 'CheckToken.java', token],
  },
];

/** Why a language cannot be tested here; undefined if it can. */
export function obstacle({ needs: [program = '', ...words] }: Language): string | undefined {
  return spawnSync(program, words, { timeout: 60_000 }).status === 0 ? undefined : `no ${program} here`;
}

/** The program that `client create --kind api` prints accepts a token for the API, and refuses all others. */
export async function checkTokensBy(t: ExecutionContext, language: Language): Promise<void> {
  t.timeout(600_000);
  const home = await folder(t, [{ realm: 'demo', enabled: true }]);
  await writeFile(join(home, 'plugins.json'), '{ "plugins": [] }');
  const host = await run(t, home, ['start-dev']);
  // The commands print the issuer with this name.
  const url = host.url?.replace('127.0.0.1', 'localhost');
  const places = ['--realms-dir', join(home, 'realms'), '--data-dir', join(home, 'data')];
  const create = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await keyhost(['client', 'create', '--realm', 'demo', ...words, ...places]);
    t.is(code, 0, stderr);
    return stdout;
  };
  const printed = await create('--kind', 'api', '--name', 'My API');
  const caller = await create('--kind', 'machine', '--name', 'Caller', '--audience', 'my-api');
  const stranger = await create('--kind', 'machine', '--name', 'Stranger');
  const [right, wrong] = [await tokenOf(url, caller, 'caller'), await tokenOf(url, stranger, 'stranger')];

  // The host creates the keys of all algorithms for the first request, which takes longer than a library waits if the
  // machine is busy.
  t.is((await fetchAnswer(`${url}/realms/demo/protocol/openid-connect/certs`)).status, 200);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-check-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const section = printed.slice(printed.indexOf(`\n${language.title}\n=`));
  const [, install = '', code = ''] = /─+\n([\s\S]*?)\n─+\n[\s\S]*?─+\n([\s\S]*?)\n─+\n/.exec(section) ?? [];
  await writeFile(join(dir, language.file), `${code}\n`);
  const installed = await ran('sh', ['-ec', language.install?.(install) ?? install], { cwd: dir });
  t.is(installed.code, 0, installed.stderr);
  const check = (token: string): Promise<Ran> => {
    const [program, ...words] = language.command(dir, token);
    return ran(program, words, { cwd: dir });
  };
  const accepted = await check(right);
  t.is(accepted.code, 0, accepted.stderr);
  t.is(
    accepted.stdout.trim(),
    JSON.parse(atob(right.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')).sub,
  );
  const forged = right.replace(/\.[^.]{8}/, (start) => `.${start.slice(1).split('').reverse().join('')}`);
  for (const token of [wrong, forged, `${right.slice(0, -8)}AAAAAAAA`]) {
    const refused = await check(token);
    t.not(refused.code, 0, refused.stdout);
    t.is(refused.stdout, '');
  }
}

async function tokenOf(url = '', printed: string, clientId: string): Promise<string> {
  const [, secret = ''] = /Client secret +(\S+)/.exec(printed) ?? [];
  const { json } = await fetchAnswer(`${url}/realms/demo/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
  });
  return String(json.access_token);
}
