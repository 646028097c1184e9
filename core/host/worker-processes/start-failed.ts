/** Thrown if a worker did not start, and the reason was not printed yet. */
export class StartFailed extends Error {
  /** The problem, its location and advice, for the operator. */
  readonly report: string;

  constructor(report: string) {
    super(report);
    this.report = report;
  }
}
