import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { defaultExport } from '../loading/default-export.js';
import { importFile } from '../loading/import-file.js';
import { notCloneable, uncloneable } from '../sessions/cloneable.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { toCrossing } from './crossing-errors.js';
import { refuseLarge } from './frame-size.js';
import { FRAME, type Memory, PROTOCOL, type WorkerStart } from './frames.js';
import { Peer, type ServedCall } from './peer.js';
import { workerLog } from './worker-log.js';
import { describePlugin, WorkerPlugin } from './worker-plugin.js';

/** A lower priority than the host's threads, which run first on a busy machine. */
const NICENESS = 5;
/** How often a worker checks its own memory, in milliseconds. */
const MEMORY_MS = 100;
/** Maximum number of concurrent calls of sessions; further ones wait here, in the worker's memory. */
const SESSION_CALLS = 64;
/**
 * Maximum number of concurrent calls of one session, so that a flood of calls does not delay other sessions here and in
 * the host.
 */
const CALLS_OF_ONE = 4;

const { port, file, softMemory } = workerData as WorkerStart;
// The port belongs to the host and to this file: a plugin must not find it, or another way to send messages.
Reflect.deleteProperty(workerData, 'port');
parentPort?.close();
try {
  // On Linux a thread has its own priority; on other systems this would affect the whole process.
  if (process.platform === 'linux') setPriority(0, NICENESS);
} catch {
  // If the system does not allow it, the worker has the host's priority.
}

let plugin: WorkerPlugin | undefined;
const peer: Peer = new Peer({
  port,
  firstId: 2,
  maxServed: Number.POSITIVE_INFINITY,
  withStacks: true,
  checkSent: refuseLarge,
  serve: async (call: ServedCall) => {
    if (plugin === undefined) throw new Error('nothing is imported yet');
    return plugin.serve(call);
  },
  receive([kind, id, ended]) {
    if (kind === FRAME.PING) peer.post([FRAME.PONG, id, memory()]);
    else if (kind === FRAME.FORGET) plugin?.end(ended as number[]);
    else if (kind === FRAME.CANCEL) plugin?.cancel(id);
    else return false;
    return true;
  },
  onViolation(reason) {
    throw new Error(reason);
  },
});

const turns = new ConcurrencyLimit(SESSION_CALLS);
/** The queue of each session, by its signal. */
const turnsOfOne = new WeakMap<AbortSignal, ConcurrencyLimit>();

/** @param signal aborted when the session is over: calls that still wait are not sent then */
async function callSession(instance: number, signal: AbortSignal, method: string, args: readonly unknown[]) {
  const part = uncloneable(args);
  if (part !== undefined) throw notCloneable(`session.${method} was given ${part}`);
  let own = turnsOfOne.get(signal);
  if (own === undefined) {
    own = new ConcurrencyLimit(CALLS_OF_ONE);
    turnsOfOne.set(signal, own);
  }
  return own.run(() =>
    turns.run(async () => {
      signal.throwIfAborted();
      return peer.call(instance, method, args).answer;
    }),
  );
}

function memory(): Memory {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

let wasShort = false;
setInterval(() => {
  const now = memory();
  const isShort = now.heap > softMemory || now.buffers > softMemory;
  // Memory may look low only because garbage is not collected yet: report it after two such checks in a row.
  if (isShort && wasShort) peer.post([FRAME.PONG, 0, now]);
  wasShort = isShort;
}, MEMORY_MS).unref();

async function open(): Promise<void> {
  try {
    const exported = defaultExport(await importFile(file));
    const described = describePlugin(exported);
    const logger = workerLog((frame) => peer.post(frame));
    plugin = new WorkerPlugin({ plugin: exported, logger, callSession });
    peer.post([FRAME.READY, 0, PROTOCOL, described]);
  } catch (error) {
    peer.post([FRAME.FAILED, 0, toCrossing(error)]);
  }
}

void open();
