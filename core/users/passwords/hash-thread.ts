import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../model/thrown.js';
import { deriveOnThisThread } from './derive-hash.js';
import type { HashJob, HashReply } from './hash-threads.js';

/** How much later its turn comes than that of other threads (sched(7), nice values). */
const NICER = 10;
const LOWEST_PRIORITY = 19;

giveWay();
parentPort?.on('message', (job: HashJob) => {
  let reply: HashReply;
  try {
    reply = { derived: deriveOnThisThread(job) };
  } catch (error) {
    reply = { failure: messageOf(error) };
  }
  parentPort?.postMessage(reply);
});

function giveWay(): void {
  // On Linux a thread has a priority of its own; elsewhere this would be that of the process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICER, LOWEST_PRIORITY));
  } catch {
    // A sandbox may refuse it. Passwords are then hashed beside all else, as on other systems.
  }
}
