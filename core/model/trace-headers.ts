type Headers = Readonly<Record<string, string>>;

const NONE: Headers = Object.freeze({});
let headersNow: (() => Headers) | undefined;

/** Headers by which a request of the host continues the trace that it is made in (W3C Trace Context); none without tracing. */
export function traceHeaders(): Headers {
  return headersNow === undefined ? NONE : headersNow();
}

/** @param headers of the work that asks; undefined: nothing is traced. One for the process, as what it tells of is. */
export function setTraceHeaders(headers: (() => Headers) | undefined): void {
  headersNow = headers;
}
