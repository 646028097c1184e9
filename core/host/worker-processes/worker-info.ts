export interface WorkerInfo {
  /** The number of the worker, from 1. Worker 1 does the work that must be done only once. */
  readonly number: number;
  readonly managementUrl: string;
}
