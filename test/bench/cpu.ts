import { readdirSync, readFileSync } from 'node:fs';

/** What the threads of processes had used at a moment. */
export type CpuMark = ReadonlyMap<number, ProcessMark>;

interface ProcessMark {
  /** Nanoseconds of each thread that lives; undefined where the kernel does not count them. */
  readonly threads: ReadonlyMap<string, number> | undefined;
  /** Milliseconds of all threads that ever were, in ticks of ten. */
  readonly ticks: number;
}

/** Two fields are cut down to whole ticks, at each of two moments. */
const TICK_ERROR_MS = 20;

/** Nothing used yet: what a process has taken since its start is between this and a mark. */
export const AT_START: CpuMark = new Map();

/** @param pids those of the server; with a server of several processes, all of them. One that has ended is left out. */
export function cpuMark(pids: readonly number[]): CpuMark {
  return new Map(
    pids.flatMap((pid): [number, ProcessMark][] => {
      const mark = ifThere(() => ({ threads: threadsOf(pid), ticks: ticksOf(pid) }));
      return mark === undefined ? [] : [[pid, mark]];
    }),
  );
}

/**
 * CPU between two marks, user and system, in milliseconds (Linux). Nanoseconds of threads that live; what a thread took that
 * has ended meanwhile is in the ticks alone, and where they say more, they are believed. A process that has ended is not counted.
 */
export function cpuBetween(before: CpuMark, after: CpuMark): number {
  let sum = 0;
  for (const [pid, mark] of after) sum += usedBy(before.get(pid), mark);
  return sum;
}

function usedBy(before: ProcessMark | undefined, { threads, ticks }: ProcessMark): number {
  const coarse = ticks - (before?.ticks ?? 0);
  if (threads === undefined) return coarse;
  let nanoseconds = 0;
  for (const [thread, used] of threads) nanoseconds += used - (before?.threads?.get(thread) ?? 0);
  const exact = nanoseconds / 1e6;
  return coarse - exact > TICK_ERROR_MS ? coarse : exact;
}

/** CPU between two marks of the first thread of a process, the one of the event loop, in milliseconds. */
export function mainThreadBetween(before: CpuMark, after: CpuMark, pid: number): number {
  const at = (mark: CpuMark) => mark.get(pid)?.threads?.get(String(pid)) ?? Number.NaN;
  return (at(after) - at(before)) / 1e6;
}

/** The process and all that it or its children began. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = ifThere(() => Number(statOf(Number(name))[1]));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (let at = 0; at < found.length; at += 1) found.push(...(children.get(found[at] ?? 0) ?? []));
  return found;
}

function threadsOf(pid: number): Map<string, number> | undefined {
  const dir = `/proc/${pid}/task`;
  const read = (thread: string) => Number(readFileSync(`${dir}/${thread}/schedstat`, 'latin1').split(' ')[0]);
  const names = readdirSync(dir);
  const used = names.flatMap((thread): [string, number][] => {
    const nanoseconds = ifThere(() => read(thread));
    return nanoseconds === undefined ? [] : [[thread, nanoseconds]];
  });
  return used.length === 0 ? undefined : new Map(used);
}

/** proc(5): user and system time, of threads that have ended too. */
function ticksOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The fields of proc(5) from the state on: the name before it may hold anything. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** undefined for a thread or process that has ended since it was listed. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
