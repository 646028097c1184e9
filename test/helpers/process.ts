import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { fetchAnswer, type TestHost } from './host.js';
import { testRealm } from './realms.js';

/**
 * The program that npm links as `keyhost`. It runs the bundle; tests in their own process use the compiler's output.
 */
export const COMMAND = fileURLToPath(new URL('../../../core/keyhost.js', import.meta.url));
/** The program in the compiler's output. */
export const COMPILED = fileURLToPath(new URL('../../core/main.js', import.meta.url));
const PLUGINS = { plugins: [{ module: '@keyhost/newsletter' }, { module: '@keyhost/external-app-notification' }] };

/** A folder with realms/ and plugins.json to start a host in. */
export async function folder(t: ExecutionContext, realms: object[] = [testRealm('demo')]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-start-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'realms'));
  await writeFile(join(dir, 'plugins.json'), JSON.stringify(PLUGINS));
  for (const realm of realms)
    await writeFile(join(dir, 'realms', `${(realm as { realm: string }).realm}.json`), JSON.stringify(realm));
  return dir;
}

export interface Run {
  readonly child: ChildProcess;
  /** The address that it listens on, or undefined if it ended before. */
  readonly url: string | undefined;
  readonly output: () => string;
  /** The exit code or the signal. */
  readonly ended: Promise<number | string | null>;
}

/**
 * Starts the host as a separate process, killed with the test. Resolves when it listens or has ended.
 * @param main the host's entry file; by default the command
 */
export async function run(
  t: ExecutionContext,
  dir: string,
  argv: string[],
  env: Record<string, string> = {},
  port = '0',
  main = COMMAND,
): Promise<Run> {
  const places = [
    '--data-dir',
    join(dir, 'data'),
    '--realms-dir',
    join(dir, 'realms'),
    '--plugins-file',
    join(dir, 'plugins.json'),
  ];
  const [command = 'start-dev', ...rest] = argv;
  const ports = ['--http-port', port, '--grpc-port', '0', '--management-port', '0'];
  const child = spawn(process.execPath, [main, command, ...ports, ...places, ...rest], {
    env: { ...process.env, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  const ready = new Promise<string | undefined>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
        const url = /^Keyhost ready http=(\S+)/m.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    void ended.then(() => resolve(undefined));
  });
  return { child, url: await ready, output: () => output, ended };
}

/** A host in another process, for helpers that only need its addresses. */
export function remote(host: Run): TestHost {
  const realm = (name: string) => `${host.url}/realms/${name}`;
  const oidc = (name: string) => `${realm(name)}/protocol/openid-connect`;
  const token = (name: string, form: Record<string, string>) =>
    fetchAnswer(`${oidc(name)}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { realm, oidc, token, url: host.url, defaultRealm: 'demo' } as Partial<TestHost> as TestHost;
}
