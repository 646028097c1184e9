import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { type Contained, startContained } from '../deploy/contained.js';
import type { Ran } from '../helpers/command.js';
import { ROOT } from '../helpers/readme-blocks.js';

/** Asks the registry for a package that the host depends on, and waits less long for it than npm does of itself. */
const ASK = ['npm', 'view', 'ajv', 'version', '--prefer-online', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
/** Variables that npm needs to reach the registry; others of this process would reveal the checkout. */
const HOW_TO_REACH =
  /^(HOME|USERPROFILE|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy|npm_config_(registry|cache|userconfig))$/i;

/** A user of this machine who has npm, and has never seen the repository. */
export class Stranger {
  readonly dir: string;
  readonly #t: ExecutionContext;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(t: ExecutionContext, dir: string) {
    this.dir = dir;
    this.#t = t;
    const given = Object.entries(process.env).filter(([name]) => HOW_TO_REACH.test(name));
    // `npm test` has the programs of the checkout on the path.
    const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.startsWith(ROOT));
    this.#env = {
      ...(Object.fromEntries(given) as Record<string, string>),
      PATH: [dirname(process.execPath), ...paths].join(delimiter),
      XDG_CACHE_HOME: join(dir, 'cache'),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    };
  }

  /** Starts in an empty folder that is deleted with the test. @throws Error if the registry is unreachable */
  static async arrives(t: ExecutionContext): Promise<Stranger> {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'keyhost-stranger-')));
    t.teardown(() => rm(dir, { recursive: true, force: true }));
    const stranger = new Stranger(t, dir);
    const { code, stderr } = await stranger.#tries(ASK, dir);
    if (code !== 0) {
      throw new Error(`The npm registry cannot be reached, and this test installs packages from it:\n${stderr}`);
    }
    return stranger;
  }

  /** Makes a folder. @returns its path */
  async makes(name: string): Promise<string> {
    const path = join(this.dir, name);
    await mkdir(path);
    return path;
  }

  /** Runs a command that succeeds. */
  async runs(words: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const ran = await this.#tries(words, cwd, env);
    this.#t.is(ran.code, 0, `${words.join(' ')}\n${ran.stdout}${ran.stderr}`);
    return ran;
  }

  #tries(words: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return startContained(this.#t, words, { env: { ...this.#env, ...env }, cwd }).ended;
  }

  /** Runs `npx keyhost` as installed in the folder. */
  keyhost(words: readonly string[], cwd: string): Promise<Ran> {
    return this.runs(['npx', '--no-install', 'keyhost', ...words], cwd);
  }

  /**
   * Starts the same program as `npx keyhost`.
   * @param coverage a folder that receives the list of loaded modules when it ends
   */
  async starts(words: readonly string[], cwd: string, coverage: string): Promise<Contained & { readonly url: string }> {
    const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0'];
    const host = startContained(this.#t, [join(cwd, 'node_modules/.bin/keyhost'), ...words, ...ports], {
      env: { ...this.#env, NODE_V8_COVERAGE: coverage },
      cwd,
    });
    await host.ready;
    return { ...host, url: /^Keyhost ready http=(\S+)/m.exec(host.output())?.[1] ?? '' };
  }
}

/** Stops a host in order. @returns its exit code */
export async function stopped(host: Contained): Promise<Ran['code']> {
  host.child.kill('SIGTERM');
  return (await host.ended).code;
}

/** The files that processes loaded, from the coverage in this folder (Node's `NODE_V8_COVERAGE`). */
export async function loadedFiles(coverage: string): Promise<readonly string[]> {
  const urls = new Set<string>();
  for (const file of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    for (const { url } of result) urls.add(url);
  }
  return [...urls].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
}
