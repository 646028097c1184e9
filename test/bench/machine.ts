import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './keyhost.js';

/** The circumstances of a measurement. */
export interface Circumstances {
  /** Such as `0.1.0 (abc1234)`. */
  readonly keyhost: string;
  /** True for the bundle, which is what users install. */
  readonly isBundle: boolean;
  readonly peers: readonly string[];
  readonly machine: string;
  /** The day, ISO 8601. */
  readonly date: string;
  /** In a form that can be run again. */
  readonly command: string;
}

const PEERS = ['oidc-provider', 'koa', '@grpc/grpc-js'];

/** @param argv of the bench */
export function circumstances(argv: readonly string[], isBundle: boolean): Circumstances {
  const processors = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const cores = `${processors.length} ${processors.length === 1 ? 'core' : 'cores'}`;
  const words = withoutSecrets(argv).map(quoted);
  return {
    keyhost: `${versionIn(join(ROOT, 'package.json'))}${commit()}`,
    isBundle,
    peers: PEERS.map((name) => `${name} ${installed(name)}`),
    machine: `${processors[0]?.model.trim() ?? 'unknown CPU'}, ${cores}, ${memory}, ${type()} ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    command: `npm run bench${words.length === 0 ? '' : ` -- ${words.join(' ')}`}`,
  };
}

/** The published command has the usernames of logins, without their secrets. */
function withoutSecrets(argv: readonly string[]): string[] {
  const isLogin = (word = '') => /^--compare-(client|user)/.test(word);
  return argv.map((word, index) =>
    isLogin(word) || isLogin(argv[index - 1]) ? word.replace(/:.*/s, ':SECRET') : word,
  );
}

function quoted(word: string): string {
  return /^[\w./:=,@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function versionIn(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Packages may prevent an import of their package.json. */
function installed(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      return versionIn(join(folder, name, 'package.json'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return 'unknown';
}

/** Empty if the sources are not a clone, or git is not installed. */
function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return ` (${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : ', changed'})`;
  } catch {
    return '';
  }
}
