export interface WorkerInfo {
  /**
   * The number of the worker, from 1. Worker 1 does the work that must be done only once, such as watching the realms
   * folder.
   */
  readonly number: number;
  readonly managementUrl: string;
}
