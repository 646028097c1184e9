import { statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename } from 'node:path';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { HostCounts } from './counted-host.js';

/** Preloaded into a host: counts its work, and answers every SIGUSR2 with a line on standard error. */
let collections = 0;
let queries = 0;
let storeMessages = 0;

const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length;
});
observer.observe({ entryTypes: ['gc'] });

interface Driver {
  DatabaseSync: new (...parameters: unknown[]) => { prepare(sql: string): Statement };
}

interface Statement {
  run(...parameters: unknown[]): unknown;
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown;
}

/** A driver whose statements count reads. */
function counting(driver: Driver): Driver {
  class CountingDatabase extends driver.DatabaseSync {
    override prepare(sql: string): Statement {
      const statement = super.prepare(sql);
      const countReads =
        (read: 'get' | 'all') =>
        (...parameters: unknown[]) => {
          queries += 1;
          return statement[read](...parameters);
        };
      return { run: (...values) => statement.run(...values), get: countReads('get'), all: countReads('all') };
    }
  }
  return { ...driver, DatabaseSync: CountingDatabase };
}

// Two packages have this API. The host uses the built-in one if its Node has it.
const require = createRequire(import.meta.url);
const builtIn = process.getBuiltinModule('node:sqlite') as Driver | undefined;
if (builtIn !== undefined) Object.assign(builtIn, counting(builtIn));
const installed = require.resolve('@photostructure/sqlite');
const exports = require(installed) as Driver;
const cached = require.cache[installed];
if (cached !== undefined) cached.exports = counting(exports);

const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function post(this: Worker, ...message: Parameters<Worker['postMessage']>) {
  storeMessages += 1;
  return postMessage.apply(this, message);
} as Worker['postMessage'];

/** The compiled files that `require` has loaded. */
function loadedFiles(): string[] {
  const { _cache: cache } = Module as unknown as { _cache: Record<string, unknown> };
  return Object.keys(cache).filter((file) => file.endsWith('.js'));
}

process.on('SIGUSR2', () => {
  const files = loadedFiles();
  const counts: HostCounts = {
    allocated: process.memoryUsage().heapUsed,
    collections,
    queries,
    storeMessages,
    files: files.length,
    codeBytes: files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
    lazyFiles: files.map((file) => basename(file)).filter((name) => name.startsWith('on-demand-')),
    at: performance.now(),
  };
  process.stderr.write(`COUNTS ${JSON.stringify(counts)}\n`);
});
