/** A worker did not start, and the reason was not printed yet. */
export class StartFailed extends Error {
  /** For a person: the problem, its location, and what to do. */
  readonly report: string;

  constructor(report: string) {
    super(report);
    this.report = report;
  }
}
