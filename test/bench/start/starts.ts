import { setTimeout as wait } from 'node:timers/promises';
import { AT_START, cpuBetween, cpuMark } from '../cpu.js';
import { memoryOf } from '../memory.js';
import type { Processes, Server } from '../processes.js';

/** A server that is started repeatedly. */
export interface Starting {
  readonly name: string;
  readonly argv: readonly string[];
  /** The folder of another commit of the repository; undefined for this checkout. */
  readonly root?: string;
  /** Requests the first token. @throws Error if it is refused */
  token(server: Server): Promise<unknown>;
}

/** One start. */
export interface Start {
  /** The CPU time of all threads until the ready message, in milliseconds. */
  readonly readyCpu: number;
  /** The CPU time until the first token. */
  readonly tokenCpu: number;
  /** The time between the start of the process and its ready message, in milliseconds. */
  readonly readyMs: number;
  /** Resident memory in MB, two seconds after the first token. */
  readonly memory: number;
}

const REST_MS = 2000;
/** How long one start takes, in seconds: an estimate. */
export const START_SECONDS = 4;

/** Starts it, requests a token, lets it rest, and stops it as an operator does. */
export async function startOnce(processes: Processes, { argv, root, token }: Starting): Promise<Start> {
  const server = await processes.start(argv, root);
  const cpu = () => cpuBetween(AT_START, cpuMark([server.pid]));
  const readyCpu = cpu();
  await token(server);
  const tokenCpu = cpu();
  await wait(REST_MS);
  const memory = memoryOf(server.pid);
  await processes.stop(server);
  return { readyCpu, tokenCpu, readyMs: server.readyMs, memory };
}
