import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../config/boot-error.js';

/** How long a plugin may block the process beyond its own limit, in milliseconds. */
const GRACE_MS = 2_000;

/** How often the watchdog checks, in milliseconds. */
const CHECK_INTERVAL_MS = 250;

/**
 * The factor of the limit for a plugin that blocks without using the processor. On a busy machine the process may get
 * no time, which is not the plugin's fault.
 */
const WAITING_FACTOR = 6;

/**
 * The watchdog runs in its own thread, so that a plugin that blocks the event loop cannot stop it. While the loop runs,
 * other code enforces the limit of a slow plugin. It detects an endless loop by the processor time that the process has
 * used since the last turn of the loop, which other processes do not affect. It ends the process even if standard error
 * is not read.
 */
const WATCHDOG = `
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
    // What waits computes next to nothing, and a busy machine lets a loop compute little.
    if (waited >= limit && (computed >= limit || (isOver && computed >= limit / 10))) {
      end('blocked the process while it was loaded', 'fix the endless loop in its import or open');
    }
    if (isOver) end('kept the process waiting while it was loaded', 'find the synchronous call that blocks the process');
  }
}`;

/**
 * Guards the loading of plugins against failures that reject no promise: a plugin that ends the process, or blocks it.
 * Call `enter` with the plugin that runs now, or with undefined if none does.
 */
export class LoadGuard {
  /**
   * The guards of all hosts that load plugins now. They share one exit listener, so that many hosts can start at a
   * time.
   */
  static readonly #open = new Set<LoadGuard>();

  static readonly #onExit = (): void => {
    for (const guard of LoadGuard.#open) guard.#reportExit();
  };

  readonly #beat = new Int32Array(new SharedArrayBuffer(4));
  readonly #text = new Uint8Array(new SharedArrayBuffer(256));
  readonly #worker: Worker;
  readonly #mark: string;
  #plugin: string | undefined;
  #turning: NodeJS.Timeout | undefined;

  /**
   * @param limitMs the time limit of a plugin
   * @param mark a prefix of the report
   */
  constructor(limitMs: number, mark = '') {
    this.#mark = mark;
    this.#worker = new Worker(WATCHDOG, {
      eval: true,
      execArgv: [],
      workerData: {
        beat: this.#beat,
        text: this.#text,
        limit: limitMs + GRACE_MS,
        waitingLimit: (limitMs + GRACE_MS) * WAITING_FACTOR,
        lookMs: CHECK_INTERVAL_MS,
        mark,
      },
    });
    this.#worker.unref();
    if (LoadGuard.#open.size === 0) process.on('exit', LoadGuard.#onExit);
    LoadGuard.#open.add(this);
  }

  readonly enter = (plugin: string | undefined): void => {
    if ((this.#plugin === undefined) === (plugin === undefined) && plugin === undefined) return;
    this.#plugin = plugin;
    const name = new TextEncoder().encode(plugin ?? '').slice(0, this.#text.length);
    this.#text.fill(0);
    this.#text.set(name);
    clearInterval(this.#turning);
    this.#turning = plugin === undefined ? undefined : setInterval(this.#turn, CHECK_INTERVAL_MS).unref();
    // The number is odd while a plugin runs. Every change of it wakes the watchdog, which restarts its wait.
    const beat = Atomics.load(this.#beat, 0);
    Atomics.store(this.#beat, 0, beat + (plugin === undefined ? (beat % 2 === 1 ? 1 : 2) : beat % 2 === 0 ? 1 : 2));
    Atomics.notify(this.#beat, 0);
  };

  /** Called while the event loop runs: the plugin does not block it. */
  readonly #turn = (): void => {
    Atomics.add(this.#beat, 0, 2);
    Atomics.notify(this.#beat, 0);
  };

  async close(): Promise<void> {
    clearInterval(this.#turning);
    LoadGuard.#open.delete(this);
    if (LoadGuard.#open.size === 0) process.off('exit', LoadGuard.#onExit);
    await this.#worker.terminate();
  }

  /** The process ends: the current plugin has ended it. */
  #reportExit(): void {
    if (this.#plugin === undefined) return;
    const error = new BootError('plugin_open_exit', `${this.#plugin} ended the process while it was loaded`, {
      plugin: this.#plugin,
      hint: 'remove it from plugins.json, or remove its process.exit',
    });
    process.exitCode = 1;
    writeSync(2, `${this.#mark}${error.report()}\n`);
  }
}
