import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BENCH_REALMS, bookData, realm } from './bench-realm.js';
import { COMPARED_REALM } from './compare/compared-realm.js';
import { production, ROOT, writeFolder } from './keyhost.js';
import type { Written } from './peers/bare-http.js';
import type { Processes, Server } from './processes.js';

/** Messages of one streaming call. */
export const STREAM = 500;

const PLUGINS = ['newsletter', 'external-app-notification', 'books'];
/** Response headers that node:http writes itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

/** @returns the file of a peer, with its arguments */
export const peer = (name: string, ...words: string[]): string[] => [
  fileURLToPath(new URL(`./peers/${name}.js`, import.meta.url)),
  ...words,
];

/** Keyhost and its peers, each started on first use. */
export class Servers {
  readonly #processes: Processes;
  readonly #dir: string;
  readonly #started = new Map<string, Promise<Server>>();

  constructor(processes: Processes, dir: string) {
    this.#processes = processes;
    this.#dir = dir;
  }

  /** Its second start, with a warm code cache and existing data. */
  keyhost = () => this.keyhostOf(ROOT);

  /** The same of another commit of the repository. @param root its folder */
  keyhostOf = (root: string) =>
    this.#once(`keyhost ${root}`, async () => {
      const dir = await this.#folder(root === ROOT ? 'keyhost' : `keyhost-${basename(root)}`, {});
      const argv = await production(dir, [], root);
      await this.#processes.stop(await this.#processes.start(argv, root));
      return this.#processes.start(argv, root);
    });

  /** Keyhost with its plugins in workers. */
  isolated = () =>
    this.#once('isolated', async () =>
      this.#processes.start(await production(await this.#folder('isolated', { isolation: 'worker' }))),
    );

  ceiling = () => this.#once('ceiling', () => this.#processes.start(peer('ceiling')));

  argon2 = () => this.#once('argon2', () => this.#processes.start(peer('argon2')));

  oidcProvider = (alg: 'RS256' | 'ES256') =>
    this.#once(`oidc-provider ${alg}`, async () =>
      this.#processes.start(peer('oidc-provider', alg, await this.peerKey(alg))),
    );

  /** Its introspection only accepts opaque tokens. */
  opaqueProvider = () =>
    this.#once('oidc-provider opaque', async () =>
      this.#processes.start(peer('oidc-provider', 'RS256', await this.peerKey('RS256'), 'opaque')),
    );

  bareGrpc = () =>
    this.#once('bare-grpc', async () => this.#processes.start(peer('bare-grpc', await this.#books('bare-grpc'))));

  /** Keyhost's answers at these paths, written by node:http alone. */
  bareHttp = (paths: readonly string[]) =>
    this.#once(`bare-http ${paths}`, async () => {
      const { url } = await this.keyhost();
      const written: Record<string, Written> = {};
      for (const path of paths) {
        const response = await fetch(`${url}${path}`);
        const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
        written[path] = { headers, body: await response.text() };
      }
      const file = join(this.#dir, 'bare-http.json');
      await writeFile(file, JSON.stringify(written));
      return this.#processes.start(peer('bare-http', file));
    });

  /** A key file for node-oidc-provider: generating a key is not part of its start. */
  async peerKey(alg: 'RS256' | 'ES256'): Promise<string> {
    const file = join(this.#dir, `key-${alg}.json`);
    const { privateKey } =
      alg === 'RS256'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(file, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg, use: 'sig', kid: 'k' }));
    return file;
  }

  async #folder(name: string, ofPlugins: object): Promise<string> {
    const dir = join(this.#dir, name);
    const config = { 'grpc-service/books': { data: await this.#books(name), authentication: 'none' } };
    const plugins = PLUGINS.map((plugin) => ({
      module: `@keyhost/${plugin}`,
      ...(plugin === 'books' ? { config } : {}),
      ...ofPlugins,
    }));
    await writeFolder(dir, [...BENCH_REALMS.map((args) => realm(...args)), COMPARED_REALM], plugins);
    return dir;
  }

  async #books(name: string): Promise<string> {
    await mkdir(join(this.#dir, name), { recursive: true });
    const file = join(this.#dir, name, 'books.json');
    await writeFile(file, JSON.stringify(bookData(STREAM)));
    return file;
  }

  #once(name: string, start: () => Promise<Server>): Promise<Server> {
    const started = this.#started.get(name) ?? start();
    this.#started.set(name, started);
    return started;
  }
}
