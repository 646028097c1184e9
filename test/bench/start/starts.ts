import { setTimeout as wait } from 'node:timers/promises';
import { AT_START, cpuBetween, cpuMark } from '../cpu.js';
import { memoryOf } from '../memory.js';
import type { Processes, Server } from '../processes.js';

/** Something that is started again and again. */
export interface Starting {
  readonly name: string;
  readonly argv: readonly string[];
  /** Asks for the first token. @throws Error when it is not given */
  token(server: Server): Promise<unknown>;
}

/** One start. */
export interface Start {
  /** CPU of all threads, in milliseconds, until the process said that it is ready. */
  readonly readyCpu: number;
  /** And until the first token was there. */
  readonly tokenCpu: number;
  /** From the start of the process until it said so, in milliseconds. */
  readonly readyMs: number;
  /** Resident memory in MB, two seconds after the first token. */
  readonly memory: number;
}

const REST_MS = 2000;
/** How long one start takes, in seconds: an estimate. */
export const START_SECONDS = 4;

/** Starts it, asks for a token, lets it rest, and stops it as an operator does. */
export async function startOnce(processes: Processes, { argv, token }: Starting): Promise<Start> {
  const server = await processes.start(argv);
  const cpu = () => cpuBetween(AT_START, cpuMark([server.pid]));
  const readyCpu = cpu();
  await token(server);
  const tokenCpu = cpu();
  await wait(REST_MS);
  const memory = memoryOf(server.pid);
  await processes.stop(server);
  return { readyCpu, tokenCpu, readyMs: server.readyMs, memory };
}
