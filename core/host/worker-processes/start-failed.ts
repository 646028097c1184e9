/** A worker did not start, and nobody was told why yet. */
export class StartFailed extends Error {
  /** For a person: what is wrong, where, and what to do. */
  readonly report: string;

  constructor(report: string) {
    super(report);
    this.report = report;
  }
}
