import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../config/boot-error.js';

/** How long a plugin may block the process beyond its own limit, in milliseconds. */
const GRACE_MS = 2_000;

/** How often the watchdog looks, in milliseconds. */
const LOOK_MS = 250;

/**
 * How many times the limit a plugin may block without computing: a machine that is busy with others gives the process no time,
 * and that is no fault of the plugin's.
 */
const WAITING_FACTOR = 6;

/**
 * Watches from a thread of its own: a plugin that never gives the loop back cannot stop it. While the loop turns, a plugin that is
 * slow is held to its limit elsewhere. An endless loop is known by the processor time that the process has used since the last
 * turn, which no load of the machine adds to. It is ended where nobody reads its standard error, too.
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
 * Guards the loading of plugins against what no promise reports: a plugin that ends the process, and one that never
 * gives it back. `enter` names the plugin that runs now; `enter(undefined)` says that none does.
 */
export class LoadGuard {
  /** Of every host that loads plugins now. One listener stands for them all, so that many hosts may start at a time. */
  static readonly #open = new Set<LoadGuard>();

  static readonly #onExit = (): void => {
    for (const guard of LoadGuard.#open) guard.#tellExit();
  };

  readonly #beat = new Int32Array(new SharedArrayBuffer(4));
  readonly #text = new Uint8Array(new SharedArrayBuffer(256));
  readonly #worker: Worker;
  readonly #mark: string;
  #plugin: string | undefined;
  #turning: NodeJS.Timeout | undefined;

  /**
   * @param limitMs the limit that a well-behaved plugin is held to
   * @param mark stands before what is told
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
        lookMs: LOOK_MS,
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
    this.#turning = plugin === undefined ? undefined : setInterval(this.#turn, LOOK_MS).unref();
    // Odd while a plugin runs: every change of the number wakes the watchdog, which then waits anew.
    const beat = Atomics.load(this.#beat, 0);
    Atomics.store(this.#beat, 0, beat + (plugin === undefined ? (beat % 2 === 1 ? 1 : 2) : beat % 2 === 0 ? 1 : 2));
    Atomics.notify(this.#beat, 0);
  };

  /** The loop turns: whoever runs gives it back. */
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

  /** The process ends: a plugin that runs now has ended it. */
  #tellExit(): void {
    if (this.#plugin === undefined) return;
    const error = new BootError('plugin_open_exit', `${this.#plugin} ended the process while it was loaded`, {
      plugin: this.#plugin,
      hint: 'remove it from plugins.json, or remove its process.exit',
    });
    process.exitCode = 1;
    writeSync(2, `${this.#mark}${error.report()}\n`);
  }
}
