type Headers = Readonly<Record<string, string>>;

/** The tracing of this process by OpenTelemetry. */
export interface Tracing {
  /** Headers with which a request of the host continues the current trace (W3C Trace Context). */
  headers(): Headers;
}

const NONE: Headers = Object.freeze({});
let tracing: Tracing | undefined;

/** Returns the headers by which a request of the host continues the current trace; none without tracing. */
export function traceHeaders(): Headers {
  return tracing === undefined ? NONE : tracing.headers();
}

/**
 * Sets the tracing of this process. There is one per process, because an OpenTelemetry resource describes a process.
 * @param traces undefined disables tracing
 */
export function setTracing(traces: Tracing | undefined): void {
  tracing = traces;
}
