/** Which of the workers a process is, and where operators reach all of them. */
export interface WorkerPlace {
  /** From 1 on. The first does what is to be done once. */
  readonly number: number;
  readonly managementUrl: string;
}
