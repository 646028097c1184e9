import { readdirSync, readFileSync } from 'node:fs';

/** The CPU time that the threads of processes had used at a moment. */
export type CpuMark = ReadonlyMap<number, ProcessMark>;

interface ProcessMark {
  /** Nanoseconds of each living thread; undefined if the kernel does not count them. */
  readonly threads: ReadonlyMap<string, number> | undefined;
  /** Milliseconds of all threads, including ended ones, in ticks of ten. */
  readonly ticks: number;
}

/** Two fields are rounded down to whole ticks, at each of two moments. */
const TICK_ERROR_MS = 20;

/** Nothing used yet: the difference to a mark is a process's usage since its start. */
export const AT_START: CpuMark = new Map();

/** @param pids all processes of the server. Ended ones are left out */
export function cpuMark(pids: readonly number[]): CpuMark {
  return new Map(
    pids.flatMap((pid): [number, ProcessMark][] => {
      const mark = ifThere(() => ({ threads: threadsOf(pid), ticks: ticksOf(pid) }));
      return mark === undefined ? [] : [[pid, mark]];
    }),
  );
}

/**
 * The user and system CPU time between two marks, in milliseconds (Linux). It is the sum of living threads in
 * nanoseconds. The time of threads that ended meanwhile is only in the ticks, so these are used if they are larger.
 * Ended processes are not counted.
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

/** The CPU time of a process's first thread, with the event loop, between two marks, in milliseconds. */
export function mainThreadBetween(before: CpuMark, after: CpuMark, pid: number): number {
  const at = (mark: CpuMark) => mark.get(pid)?.threads?.get(String(pid)) ?? Number.NaN;
  return (at(after) - at(before)) / 1e6;
}

/** The process and all its descendants. */
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

/** proc(5): user and system time, including ended threads. */
function ticksOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The fields of proc(5) from the state on: the name before it may contain anything. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Returns undefined for a thread or process that has ended since it was listed. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
