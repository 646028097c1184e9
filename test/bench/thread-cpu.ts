import { readdirSync, readFileSync } from 'node:fs';

/** CPU that a process used so far, in microseconds. */
export interface ThreadCpu {
  readonly all: number;
  /** Of its first thread, the one of the event loop. */
  readonly main: number;
}

/** Linux alone; a thread that ends takes its share with it. */
export function threadCpu(pid: number): ThreadCpu {
  const ofThread = (thread: string | number) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1000;
  let all = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) all += ofThread(thread);
  return { all, main: ofThread(pid) };
}
