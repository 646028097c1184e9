import { pbkdf2Sync } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashRawSync } from '@node-rs/argon2';
import { messageOf } from '../../model/thrown.js';
import type { HashJob, HashReply } from './hash-threads.js';

/** How much later its turn comes than that of other threads (sched(7), nice values). */
const NICER = 10;
const LOWEST_PRIORITY = 19;
const DIGESTS = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const;
// The binding's own enums are `const enum`, which a module compiled by itself cannot read.
const ARGON2_TYPES = { d: 0, i: 1, id: 2 } as const;
const ARGON2_VERSIONS = { '1.0': 0, '1.3': 1 } as const;

giveWay();
parentPort?.on('message', (job: HashJob) => {
  let reply: HashReply;
  try {
    reply = { derived: derive(job) };
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

function derive({ password, format, salt }: HashJob): Uint8Array {
  if (format.algorithm !== 'argon2') {
    return pbkdf2Sync(password, salt, format.hashIterations, format.hashLength, DIGESTS[format.algorithm]);
  }
  return hashRawSync(Buffer.from(password), {
    algorithm: ARGON2_TYPES[format.type],
    version: ARGON2_VERSIONS[format.version],
    memoryCost: format.memory,
    timeCost: format.hashIterations,
    parallelism: format.parallelism,
    outputLen: format.hashLength,
    salt,
  });
}
