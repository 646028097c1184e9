import type { Realm } from '../../model/realm.js';
import type { Fence } from '../../store/fence.js';
import type { Generation } from '../generations/generation.js';

/** The HTTP request or gRPC call behind a session. */
export interface Caller {
  readonly ip: string;
  readonly secure: boolean;
  /** The `Authorization` header. */
  readonly authorization?: string | undefined;
  /** All headers of the request, by lower-case name, for the host's own authenticators. */
  readonly headers?: () => Readonly<Partial<Record<string, readonly string[]>>>;
  /** The generation of providers that the request or call has leased until it ends. */
  readonly providers: Generation;
  /** The login to which the request belongs. */
  readonly login?: {
    readonly name: string;
    readonly clientId: string;
    readonly userAgent: string;
    /** The browser's existing user session. */
    readonly userSessionId?: string;
    /** The type of the mailed link by which the login continues. */
    readonly link?: string;
    /** The language that the user has selected on one of its pages. */
    readonly locale?: string;
  };
  /** The plugins whose changes and events have led to this call, in order. */
  readonly causes?: readonly string[];
  /** The fence that the store checks before each write, for work that runs on one node at a time. */
  readonly fence?: Fence;
}

/** A realm, and the caller of the request or call that concerns it. */
export interface CalledRealm {
  readonly realm: Realm;
  readonly caller: Caller;
}
