/** The number of a worker process, and the management URL of the host. */
export interface WorkerInfo {
  /** Starts at 1. Worker 1 does the work that must be done once. */
  readonly number: number;
  readonly managementUrl: string;
}
