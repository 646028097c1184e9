import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { defaultExport } from '../loading/default-export.js';
import { importFile } from '../loading/import-file.js';
import { notCloneable, uncloneable } from '../sessions/cloneable.js';
import { toCrossing } from './crossing-errors.js';
import { refuseLarge } from './frame-size.js';
import { FRAME, type Memory, PROTOCOL, type WorkerStart } from './frames.js';
import { Peer, type ServedCall } from './peer.js';
import { Turns } from './turns.js';
import { workerLog } from './worker-log.js';
import { describePlugin, WorkerPlugin } from './worker-plugin.js';

/** A lower priority than the host's threads have: on a busy machine they go first. */
const NICENESS = 5;
/** How often a worker looks at its memory by itself, in milliseconds. */
const MEMORY_MS = 100;
/** Calls of sessions at a time; the others wait their turn here, at the plugin's expense. */
const SESSION_CALLS = 64;
/** Calls of one session at a time: a call that floods its own holds up nobody else, here and in the host. */
const CALLS_OF_ONE = 4;

const { port, file, softMemory } = workerData as WorkerStart;
// The port is the host's and this file's: a plugin finds neither it nor another way to send messages.
Reflect.deleteProperty(workerData, 'port');
parentPort?.close();
try {
  // On Linux a thread has a priority of its own; elsewhere this would be the whole process.
  if (process.platform === 'linux') setPriority(0, NICENESS);
} catch {
  // Where the system does not allow it the worker keeps the host's priority.
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

const turns = new Turns(SESSION_CALLS);
/** Turns of each session, by its signal. */
const turnsOfOne = new WeakMap<AbortSignal, Turns>();

/** @param signal aborted when the session is over: calls that still wait for their turn then are not sent */
async function callSession(instance: number, signal: AbortSignal, method: string, args: readonly unknown[]) {
  const part = uncloneable(args);
  if (part !== undefined) throw notCloneable(`session.${method} was given ${part}`);
  let own = turnsOfOne.get(signal);
  if (own === undefined) {
    own = new Turns(CALLS_OF_ONE);
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
  // Memory that is short at one look may be garbage that is not collected yet: it is told after two such looks in a row.
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
