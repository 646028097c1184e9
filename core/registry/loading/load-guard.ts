import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../config/boot-error.js';

/** How long a plugin may block the process beyond its time limit, in milliseconds. */
const GRACE_MS = 2_000;

/** How often the watchdog checks, in milliseconds. */
const CHECK_INTERVAL_MS = 250;

/**
 * The factor by which the limit is longer for a plugin that blocks without using the processor. On a busy machine the
 * process may get no processor time, which is not the plugin's fault.
 */
const WAITING_FACTOR = 6;

/**
 * The script of the watchdog. It runs in a separate thread, so that a plugin that blocks the event loop cannot stop it.
 * While the event loop runs, other code enforces the limit of a slow plugin. An endless loop is detected by the
 * processor time that the process has used since the last turn of the event loop, which other processes do not affect.
 * The watchdog ends the process even if standard error is not read.
 */
const WATCHDOG_SCRIPT = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beat, text, limit, waitingLimit, lookMs, mark } = workerData;
const end = (what, hint) => {
  const length = text.indexOf(0);
  const plugin = Buffer.from(text.slice(0, length < 0 ? text.length : length)).toString();
  try {
    writeSync(2, mark + 'keyhost: ' + plugin + ' ' + what + ' [plugin_open_timeout]\\n  → remove it from plugins.json, or ' + hint + '\\n');
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
};
for (;;) {
  const seen = Atomics.load(beat, 0);
  if (seen % 2 === 0) {
    Atomics.wait(beat, 0, seen);
    continue;
  }
  const before = process.cpuUsage();
  const since = performance.now();
  while (Atomics.wait(beat, 0, seen, lookMs) === 'timed-out') {
    const { user, system } = process.cpuUsage(before);
    const computed = (user + system) / 1000;
    const waited = performance.now() - since;
    const isOver = waited >= waitingLimit;
    // A call that waits uses almost no processor time. On a busy machine, an endless loop gets only little.
    if (waited >= limit && (computed >= limit || (isOver && computed >= limit / 10))) {
      end('blocked the process while it was loaded', 'fix the endless loop in its import or open');
    }
    if (isOver) end('kept the process waiting while it was loaded', 'find the synchronous call that blocks the process');
  }
}`;

/**
 * Guards the loading of plugins against failures that reject no promise: a plugin that ends the process, or blocks it.
 * Call `setPlugin` with the plugin whose code runs now, or with undefined if none does.
 */
export class LoadGuard {
  /**
   * The guards of all hosts that are loading plugins. They share one exit listener, so that many hosts can start at the
   * same time.
   */
  static readonly #activeGuards = new Set<LoadGuard>();

  static readonly #onExit = (): void => {
    for (const guard of LoadGuard.#activeGuards) guard.#reportExit();
  };

  readonly #counter = new Int32Array(new SharedArrayBuffer(4));
  readonly #pluginName = new Uint8Array(new SharedArrayBuffer(256));
  readonly #worker: Worker;
  readonly #prefix: string;
  #plugin: string | undefined;
  #beatTimer: NodeJS.Timeout | undefined;

  /**
   * @param limitMs the time limit of a plugin
   * @param prefix a prefix of the report
   */
  constructor(limitMs: number, prefix = '') {
    this.#prefix = prefix;
    this.#worker = new Worker(WATCHDOG_SCRIPT, {
      eval: true,
      execArgv: [],
      workerData: {
        beat: this.#counter,
        text: this.#pluginName,
        limit: limitMs + GRACE_MS,
        waitingLimit: (limitMs + GRACE_MS) * WAITING_FACTOR,
        lookMs: CHECK_INTERVAL_MS,
        mark: prefix,
      },
    });
    this.#worker.unref();
    if (LoadGuard.#activeGuards.size === 0) process.on('exit', LoadGuard.#onExit);
    LoadGuard.#activeGuards.add(this);
  }

  readonly setPlugin = (plugin: string | undefined): void => {
    if ((this.#plugin === undefined) === (plugin === undefined) && plugin === undefined) return;
    this.#plugin = plugin;
    const name = new TextEncoder().encode(plugin ?? '').slice(0, this.#pluginName.length);
    this.#pluginName.fill(0);
    this.#pluginName.set(name);
    clearInterval(this.#beatTimer);
    this.#beatTimer = plugin === undefined ? undefined : setInterval(this.#recordTurn, CHECK_INTERVAL_MS).unref();
    // The number is odd while a plugin runs. Every change of it wakes the watchdog, which then waits again from the
    // start.
    const beat = Atomics.load(this.#counter, 0);
    Atomics.store(this.#counter, 0, beat + (plugin === undefined ? (beat % 2 === 1 ? 1 : 2) : beat % 2 === 0 ? 1 : 2));
    Atomics.notify(this.#counter, 0);
  };

  /** Called by a timer while the event loop runs, which proves that the plugin does not block it. */
  readonly #recordTurn = (): void => {
    Atomics.add(this.#counter, 0, 2);
    Atomics.notify(this.#counter, 0);
  };

  async close(): Promise<void> {
    clearInterval(this.#beatTimer);
    LoadGuard.#activeGuards.delete(this);
    if (LoadGuard.#activeGuards.size === 0) process.off('exit', LoadGuard.#onExit);
    await this.#worker.terminate();
  }

  /** Reports that the process ends because of the current plugin. */
  #reportExit(): void {
    if (this.#plugin === undefined) return;
    const error = new BootError('plugin_open_exit', `${this.#plugin} ended the process while it was loaded`, {
      plugin: this.#plugin,
      hint: 'remove it from plugins.json, or remove its process.exit',
    });
    process.exitCode = 1;
    writeSync(2, `${this.#prefix}${error.report()}\n`);
  }
}
