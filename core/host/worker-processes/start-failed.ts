/** Thrown if a worker did not start, and the reason was not printed yet. */
export class StartFailedError extends Error {
  /** A text for the operator with the problem, its location and a hint. */
  readonly report: string;

  constructor(report: string) {
    super(report);
    this.report = report;
  }
}
