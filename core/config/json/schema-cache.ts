import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { ValidateFunction } from 'ajv';

/** The maximum number of cached checks, and also of queued checks. Beyond it, the oldest are dropped. */
const MAX_CHECKS = 500;

let folder: string | undefined;
/** The checks that this run compiled, by key, as functions that return the code. */
const queuedChecks = new Map<string, () => string>();

/**
 * Enables the cache of compiled checks for schemas that the build does not contain, above all those of plugins. A later
 * run loads the code and needs no Ajv.
 * @param path a folder that only its owner can write to, since its files are executed
 */
export function enableSchemaCache(path: string): void {
  folder = path;
}

export function isSchemaCacheEnabled(): boolean {
  return folder !== undefined;
}

/** Loads a check that an earlier run compiled. Undefined if there is none or its file is damaged. */
export function cachedCheck(key: string): ValidateFunction | undefined {
  if (folder === undefined) return undefined;
  const file = fileOf(folder, key);
  const code = readCacheFile(file);
  if (code === undefined) return undefined;
  const module: { exports: unknown } = { exports: {} };
  const run = new Script(`(function (module, require) {${code}\n})`, { filename: file }).runInThisContext();
  run(module, createRequire(import.meta.url));
  return module.exports as ValidateFunction;
}

/** Queues a check for `writeQueuedChecks`. @param code returns a CommonJS module that exports the check */
export function queueCheck(key: string, code: () => string): void {
  if (folder === undefined) return;
  queuedChecks.set(key, code);
  const [oldest] = queuedChecks.keys();
  if (queuedChecks.size > MAX_CHECKS && oldest !== undefined) queuedChecks.delete(oldest);
}

/** Writes the queued checks. A check that cannot be written is compiled again by the next run. */
export function writeQueuedChecks(): void {
  if (folder === undefined || queuedChecks.size === 0) return;
  const checks = [...queuedChecks];
  queuedChecks.clear();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [key, code] of checks) writeCacheFile(fileOf(folder, key), code());
    removeOldest(folder);
  } catch {
    // The disk is full or became read-only: the next run compiles.
  }
}

function fileOf(dir: string, key: string): string {
  return join(dir, `${key}.js`);
}

/** Returns the code in a file; undefined if the file is missing or damaged. */
function readCacheFile(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const end = text.indexOf('\n');
  const code = text.slice(end + 1);
  return end > 0 && text.slice(0, end) === digestOf(code) ? code : undefined;
}

function writeCacheFile(file: string, code: string): void {
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, `${digestOf(code)}\n${code}`, { mode: 0o600 });
  renameSync(temporaryFile, file);
}

function removeOldest(dir: string): void {
  const names = readdirSync(dir);
  if (names.length <= MAX_CHECKS) return;
  const writtenAt = (name: string) => statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const byAge = names.map((name) => [writtenAt(name), name] as const).sort(([one], [other]) => one - other);
  for (const [, name] of byAge.slice(0, names.length - MAX_CHECKS)) rmSync(join(dir, name), { force: true });
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
