/** A mistake in a request, with its position: a JSON pointer (RFC 6901), and for a document its line, too. */
export interface LocatedError {
  readonly pointer: string;
  readonly message: string;
  /** From 1; 0 for the document as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly suggestion?: string;
}

/**
 * The reason why a request failed.
 * - `away`: no answer
 * - `ended`: the session is over
 * - `forbidden`: the user lacks the roles
 * - `absent`: the object does not exist
 * - `changed`: another user changed the object after it was read
 * - `refused`: the host rejected the content
 * - `broken`: the host failed
 */
export type FailureKind = 'away' | 'ended' | 'forbidden' | 'absent' | 'changed' | 'refused' | 'broken';

/** The latest change of an object, as far as the user may see it. */
export interface LastChange {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly username?: string;
}

/** Roles one of which is needed; an inner list has roles that are needed together. */
export type Roles = readonly (string | readonly string[])[];

/** The role of administrators of the host, which belongs to `master`. */
export const HOST_ADMIN = 'admin';

/** The error that every failed request throws. */
export class ApiFailure extends Error {
  readonly kind: FailureKind;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The host's own message. */
  readonly hostMessage: string | undefined;
  readonly errors: readonly LocatedError[];
  readonly roles: Roles;
  /** For `changed`: the tag of the current state. */
  readonly tag: string | undefined;
  readonly change: LastChange | undefined;

  constructor(
    kind: FailureKind,
    options: {
      status?: number;
      hostMessage?: string | undefined;
      errors?: readonly LocatedError[];
      roles?: Roles;
      tag?: string | undefined;
      change?: LastChange | undefined;
    } = {},
  ) {
    super(options.hostMessage ?? kind);
    this.name = 'ApiFailure';
    this.kind = kind;
    this.status = options.status ?? 0;
    this.hostMessage = options.hostMessage;
    this.errors = options.errors ?? [];
    this.roles = options.roles ?? [];
    this.tag = options.tag;
    this.change = options.change;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** Converts an error answer, in the form of Keycloak or Keyhost. */
export async function failureOf(response: Response, roles: Roles): Promise<ApiFailure> {
  const { status } = response;
  const body = await bodyOf(response);
  const hostMessage = hostMessageOf(body);
  if (status === 401) return new ApiFailure('ended', { status, hostMessage });
  if (status === 403) return new ApiFailure('forbidden', { status, hostMessage, roles });
  if (status === 404) return new ApiFailure('absent', { status, hostMessage });
  if (status === 412) {
    const { etag: tag, changed: change } = body as { etag?: string; changed?: LastChange };
    return new ApiFailure('changed', { status, hostMessage, tag, change });
  }
  if (status === 502 || status === 503 || status === 504) return new ApiFailure('away', { status, hostMessage });
  if (status >= 500) return new ApiFailure('broken', { status, hostMessage });
  return new ApiFailure('refused', { status, hostMessage, errors: locatedErrors(body) });
}

/** Keycloak's message, with Keyhost's description if there is one. */
function hostMessageOf({ errorMessage, error_description: description, error }: Body): string | undefined {
  if (typeof errorMessage === 'string' && typeof description === 'string') return `${errorMessage}\n${description}`;
  return [errorMessage, description, error].find((one) => typeof one === 'string') as string | undefined;
}

/**
 * Reads the errors of an answer. Keyhost's errors have a pointer; errors of the user profile have the name of an
 * attribute, as in Keycloak. A message of a plugin's page may be an object with a text for each language, from which
 * `errorsIn` picks one.
 */
function locatedErrors(body: Body): LocatedError[] {
  const list = body.errors ?? body.problems;
  const all = Array.isArray(list) ? (list as Body[]) : [body];
  return all.flatMap((one) => {
    const { pointer, message, field, errorMessage } = one;
    if (typeof pointer === 'string') return [{ ...one, pointer, message: message as string }];
    return typeof field === 'string' ? [{ pointer: `/${field}`, message: String(errorMessage) }] : [];
  });
}

async function bodyOf(response: Response): Promise<Body> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    // A proxy may answer with a page of its own.
    return {};
  }
}
