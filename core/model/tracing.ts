type Headers = Readonly<Record<string, string>>;

/** Traces what this process does. */
export interface Tracing {
  /** Headers with which a request of the host continues the current trace (W3C Trace Context). */
  headers(): Headers;
}

const NONE: Headers = Object.freeze({});
let tracing: Tracing | undefined;

/** Returns the headers of `Tracing.headers`; none if tracing is off. */
export function traceHeaders(): Headers {
  return tracing === undefined ? NONE : tracing.headers();
}

/**
 * Sets the tracing of this process. There is one per process, because an OpenTelemetry resource describes a process.
 * @param traces undefined: tracing is off
 */
export function setTracing(traces: Tracing | undefined): void {
  tracing = traces;
}
