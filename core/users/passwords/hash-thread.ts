import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../model/thrown.js';
import { deriveOnThisThread } from './derive-hash.js';
import type { HashJob, HashReply } from './hash-threads.js';

/** The amount by which this thread lowers its priority (sched(7), nice values). */
const NICE_INCREMENT = 10;
const LOWEST_PRIORITY = 19;

lowerPriority();
parentPort?.on('message', (job: HashJob) => {
  let reply: HashReply;
  try {
    reply = { derived: deriveOnThisThread(job) };
  } catch (error) {
    reply = { failure: messageOf(error) };
  }
  parentPort?.postMessage(reply);
});

function lowerPriority(): void {
  // On Linux, priorities apply to threads. On other systems this would change the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICE_INCREMENT, LOWEST_PRIORITY));
  } catch {
    // A sandbox may forbid it. Hashing then runs at normal priority, as on other systems.
  }
}
