import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

/** What an error looks like to whoever tests it: fields, never classes. */
interface Thrown {
  readonly grpcStatus?: unknown;
  readonly trailers?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  readonly metadata?: unknown;
  readonly status?: unknown;
  readonly expose?: unknown;
  readonly message?: unknown;
}

/** The nearest status of an HTTP one. */
const OF_HTTP: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ABORTED,
  412: status.FAILED_PRECONDITION,
  413: status.RESOURCE_EXHAUSTED,
  429: status.RESOURCE_EXHAUSTED,
  499: status.CANCELLED,
  501: status.UNIMPLEMENTED,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
};

/**
 * The status that an error ends a call with. Code, details and metadata of a `GrpcError`, and of an error that a gRPC
 * client threw, are passed on; a `HostError` goes by its HTTP status; of anything else nothing is told.
 * @returns `unexpected` for what the log should hear of
 */
export function toStatus(error: unknown): { status: StatusObject; unexpected: boolean } {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  const named = typeof thrown.grpcStatus === 'string' ? status[thrown.grpcStatus as keyof typeof status] : undefined;
  if (named !== undefined && named !== status.OK) {
    return expected(named, String(thrown.message), trailers(thrown.trailers));
  }
  if (typeof thrown.code === 'number' && thrown.code > 0 && thrown.code <= 16 && typeof thrown.details === 'string') {
    return expected(
      thrown.code,
      thrown.details,
      thrown.metadata instanceof Metadata ? thrown.metadata : new Metadata(),
    );
  }
  if (thrown.expose === true && typeof thrown.status === 'number') {
    const known = OF_HTTP[thrown.status] ?? (thrown.status < 500 ? status.FAILED_PRECONDITION : status.INTERNAL);
    return expected(known, String(thrown.message), new Metadata());
  }
  const metadata = new Metadata();
  return { status: { code: status.UNKNOWN, details: 'The server failed: see its log', metadata }, unexpected: true };
}

function expected(code: status, details: string, metadata: Metadata) {
  return { status: { code, details, metadata }, unexpected: false };
}

function trailers(values: unknown): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries((values ?? {}) as Record<string, string | Uint8Array>)) {
    metadata.set(key, typeof value === 'string' ? value : Buffer.from(value));
  }
  return metadata;
}
