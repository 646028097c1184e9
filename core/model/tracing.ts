type Headers = Readonly<Record<string, string>>;

/** Traces of what this process does. */
export interface Tracing {
  /** Headers by which a request of the host continues the trace that it is made in (W3C Trace Context). */
  headers(): Headers;
}

const NONE: Headers = Object.freeze({});
let tracing: Tracing | undefined;

/** As `Tracing.headers`; none without tracing. */
export function traceHeaders(): Headers {
  return tracing === undefined ? NONE : tracing.headers();
}

/** @param traces undefined: tracing is off. One for the process, as its resource is. */
export function setTracing(traces: Tracing | undefined): void {
  tracing = traces;
}
