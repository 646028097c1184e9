type Headers = Readonly<Record<string, string>>;
/** Does some work as part of the trace in which this was made. */
export type WithinTrace = <T>(work: () => T) => T;

/** Traces of what this process does. */
export interface Tracing {
  /** Headers by which a request of the host continues the trace that it is made in (W3C Trace Context). */
  headers(): Headers;
  /** For work that is asked for by a message, and would belong to nothing by itself. */
  here(): WithinTrace;
}

const NONE: Headers = Object.freeze({});
const asItIs: WithinTrace = (work) => work();
let tracing: Tracing | undefined;

/** As `Tracing.headers`; none without tracing. */
export function traceHeaders(): Headers {
  return tracing === undefined ? NONE : tracing.headers();
}

/** As `Tracing.here`; without tracing the work is done as it is. */
export function traceHere(): WithinTrace {
  return tracing === undefined ? asItIs : tracing.here();
}

/** @param traces undefined: nothing is traced. One for the process, as what it tells of is. */
export function setTracing(traces: Tracing | undefined): void {
  tracing = traces;
}
