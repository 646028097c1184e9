/**
 * An error with an HTTP status. The host checks the fields `code`, `status` and `expose`, and not the class, so a
 * plugin may also throw another error with these fields.
 */
export class HostError extends Error {
  override readonly name: string = 'HostError';
  /** A stable code for programs. */
  readonly code: string;
  /** The HTTP status of the response. Default: 500. */
  readonly status: number;
  /** True if `message` may be shown to the caller. Default: true for a status below 500. */
  readonly expose: boolean;
  /**
   * Additional response headers, such as `WWW-Authenticate` or `Retry-After`. A plugin's error may have the headers
   * that its responses may have.
   */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    options: { status?: number; expose?: boolean; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 500;
    this.expose = options.expose ?? this.status < 500;
    this.headers = options.headers ?? {};
  }
}

/**
 * An OAuth 2.0 error response (RFC 6749 §5.2): `{"error": code, "error_description": message}`. Default status: 400.
 */
export class OAuthError extends HostError {
  override readonly name = 'OAuthError';
  /** The `error` of the response. */
  readonly error: string;
  /** The `error_description` of the response. */
  readonly errorDescription: string | undefined;
  /** Keycloak's error code for the event, if it differs from `error`. */
  readonly eventError: string | undefined;
  /** Additional details of the event. */
  readonly details: Readonly<Record<string, string>>;
  /** The user of the event, if the host has not identified the user yet. */
  readonly userId: string | undefined;

  constructor(
    error: string,
    description?: string,
    options: {
      status?: number;
      eventError?: string;
      details?: Readonly<Record<string, string>>;
      userId?: string | undefined;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(error, description ?? error, { ...options, status: options.status ?? 400, expose: true });
    this.error = error;
    this.errorDescription = description;
    this.eventError = options.eventError;
    this.details = options.details ?? {};
    this.userId = options.userId;
  }
}

/** The status codes of gRPC that an error can have (https://grpc.io/docs/guides/status-codes/). */
export type GrpcStatus =
  | 'CANCELLED'
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'OUT_OF_RANGE'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DATA_LOSS'
  | 'UNAUTHENTICATED';

/**
 * An error that ends a gRPC call with this status, text and trailing metadata. An error with a numeric `code`,
 * `details` and `metadata`, as gRPC clients throw, is passed on in the same way.
 */
export class GrpcError extends HostError {
  override readonly name = 'GrpcError';
  /** The status that ends the call. */
  readonly grpcStatus: GrpcStatus;
  /** Sent as trailers; values of keys ending in `-bin` are bytes. */
  readonly trailers: Readonly<Record<string, string | Uint8Array>>;

  /** @param details a text for the client */
  constructor(
    grpcStatus: GrpcStatus,
    details: string,
    options: { trailers?: Record<string, string | Uint8Array>; cause?: unknown } = {},
  ) {
    super(grpcStatus.toLowerCase(), details, { expose: true, cause: options.cause });
    this.grpcStatus = grpcStatus;
    this.trailers = options.trailers ?? {};
  }
}
