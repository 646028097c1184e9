/** One thing that is wrong with what was sent, and where: a JSON pointer (RFC 6901), and of a document also its line. */
export interface LocatedError {
  readonly pointer: string;
  readonly message: string;
  /** From 1; 0: the document as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly suggestion?: string;
}

/**
 * Why a request brought nothing. `away`: no answer; `ended`: the session is over; `forbidden`: the roles do not suffice;
 * `absent`: there is no such thing; `changed`: somebody changed it after it was read; `refused`: the host says what is wrong; `broken`: the host failed.
 */
export type FailureKind = 'away' | 'ended' | 'forbidden' | 'absent' | 'changed' | 'refused' | 'broken';

/** The latest change of a thing, as far as the user may know of it. */
export interface LastChange {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly username?: string;
}

/** Roles of which one suffices; a list within it are roles that are needed together. */
export type Roles = readonly (string | readonly string[])[];

/** The role of who administers the host: it is one of `master`. */
export const HOST_ADMIN = 'admin';

/** The one way in which a failure reaches a page. */
export class ApiFailure extends Error {
  readonly kind: FailureKind;
  /** HTTP; 0 without an answer. */
  readonly status: number;
  /** The host's own words. */
  readonly told: string | undefined;
  readonly errors: readonly LocatedError[];
  readonly roles: Roles;
  /** Of `changed`: the tag of what is there now. */
  readonly tag: string | undefined;
  readonly change: LastChange | undefined;

  constructor(
    kind: FailureKind,
    given: {
      status?: number;
      told?: string | undefined;
      errors?: readonly LocatedError[];
      roles?: Roles;
      tag?: string | undefined;
      change?: LastChange | undefined;
    } = {},
  ) {
    super(given.told ?? kind);
    this.name = 'ApiFailure';
    this.kind = kind;
    this.status = given.status ?? 0;
    this.told = given.told;
    this.errors = given.errors ?? [];
    this.roles = given.roles ?? [];
    this.tag = given.tag;
    this.change = given.change;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The failure that an answer tells of, in the shapes of Keycloak and Keyhost. */
export async function failureOf(response: Response, roles: Roles): Promise<ApiFailure> {
  const { status } = response;
  const body = await bodyOf(response);
  const told = toldBy(body);
  if (status === 401) return new ApiFailure('ended', { status, told });
  if (status === 403) return new ApiFailure('forbidden', { status, told, roles });
  if (status === 404) return new ApiFailure('absent', { status, told });
  if (status === 412) {
    const { etag: tag, changed: change } = body as { etag?: string; changed?: LastChange };
    return new ApiFailure('changed', { status, told, tag, change });
  }
  if (status === 502 || status === 503 || status === 504) return new ApiFailure('away', { status, told });
  if (status >= 500) return new ApiFailure('broken', { status, told });
  return new ApiFailure('refused', { status, told, errors: locatedErrors(body) });
}

/** Keycloak's words, and what Keyhost says beside them. */
function toldBy({ errorMessage, error_description: description, error }: Body): string | undefined {
  if (typeof errorMessage === 'string' && typeof description === 'string') return `${errorMessage}\n${description}`;
  return [errorMessage, description, error].find((one) => typeof one === 'string') as string | undefined;
}

/**
 * Keyhost's errors have a pointer, those of Keycloak's user profile the name of an attribute. What a page of a plugin says may be a
 * text by language, which `errorsIn` reads.
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
    // A proxy in between answers pages of its own.
    return {};
  }
}
