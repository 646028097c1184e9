import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { defaultExport } from '../loading/default-export.js';
import { importFile } from '../loading/import-file.js';
import { findUncloneable, notCloneableError } from '../sessions/cloneable.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { checkSize } from './frame-size.js';
import { FRAME, type Memory, PROTOCOL, type WorkerStart } from './frames.js';
import { Peer, type ServedCall } from './peer.js';
import { serializeError } from './serialized-errors.js';
import { workerLog } from './worker-log.js';
import { describePlugin, WorkerPlugin } from './worker-plugin.js';

/** The nice value of the thread. It is above that of the host's threads, which thus run first on a busy machine. */
const NICENESS = 5;
/** How often the worker checks its memory usage, in milliseconds. */
const MEMORY_CHECK_MS = 100;
/** Maximum number of concurrent calls to the host's sessions. Further calls wait here, in the worker's memory. */
const MAX_SESSION_CALLS = 64;
/**
 * Maximum number of concurrent calls to one session, so that many calls of one do not delay other sessions here and in
 * the host.
 */
const MAX_CALLS_PER_SESSION = 4;

const { port, file, softMemory } = workerData as WorkerStart;
// Only the host and this file may use the port. A plugin must not find it, or another way to send messages.
Reflect.deleteProperty(workerData, 'port');
parentPort?.close();
try {
  // On Linux the priority belongs to the thread; on other systems this would change that of the whole process.
  if (process.platform === 'linux') setPriority(0, NICENESS);
} catch {
  // If the system does not allow it, the worker has the host's priority.
}

let plugin: WorkerPlugin | undefined;
const peer: Peer = new Peer({
  port,
  firstId: 2,
  maxConcurrentCalls: Number.POSITIVE_INFINITY,
  withStacks: true,
  checkContent: checkSize,
  serve: async (call: ServedCall) => {
    if (plugin === undefined) throw new Error('nothing is imported yet');
    return plugin.serve(call);
  },
  receive([kind, id, ended]) {
    if (kind === FRAME.PING) peer.post([FRAME.PONG, id, memoryUsage()]);
    else if (kind === FRAME.FORGET) plugin?.endInstances(ended as number[]);
    else if (kind === FRAME.CANCEL) plugin?.cancelInstance(id);
    else return false;
    return true;
  },
  onViolation(reason) {
    throw new Error(reason);
  },
});

const callQueue = new ConcurrencyLimit(MAX_SESSION_CALLS);
/** The queue of each session, keyed by the session's signal. */
const queuesBySignal = new WeakMap<AbortSignal, ConcurrencyLimit>();

/**
 * Calls a session of the host.
 * @param signal aborted when the session has ended; calls that still wait are then not sent
 */
async function callSession(instance: number, signal: AbortSignal, method: string, args: readonly unknown[]) {
  const uncloneablePart = findUncloneable(args);
  if (uncloneablePart !== undefined) throw notCloneableError(`session.${method} was given ${uncloneablePart}`);
  let sessionQueue = queuesBySignal.get(signal);
  if (sessionQueue === undefined) {
    sessionQueue = new ConcurrencyLimit(MAX_CALLS_PER_SESSION);
    queuesBySignal.set(signal, sessionQueue);
  }
  return sessionQueue.run(() =>
    callQueue.run(async () => {
      signal.throwIfAborted();
      return peer.call(instance, method, args).answer;
    }),
  );
}

function memoryUsage(): Memory {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

let wasLow = false;
setInterval(() => {
  const usage = memoryUsage();
  const isLow = usage.heap > softMemory || usage.buffers > softMemory;
  // Memory may only look low because garbage was not collected yet. So report it only after two such checks in a row.
  if (isLow && wasLow) peer.post([FRAME.PONG, 0, usage]);
  wasLow = isLow;
}, MEMORY_CHECK_MS).unref();

async function importPlugin(): Promise<void> {
  try {
    const exportedPlugin = defaultExport(await importFile(file));
    const description = describePlugin(exportedPlugin);
    const logger = workerLog((frame) => peer.post(frame));
    plugin = new WorkerPlugin({ plugin: exportedPlugin, logger, callSession });
    peer.post([FRAME.READY, 0, PROTOCOL, description]);
  } catch (error) {
    peer.post([FRAME.FAILED, 0, serializeError(error)]);
  }
}

void importPlugin();
