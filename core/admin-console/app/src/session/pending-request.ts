/** The stored data of an authorization request while the browser is at the login page. It gives no access by itself. */
export interface PendingRequest {
  readonly realm: string;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  /** The page to return to, as a path with its query. */
  readonly path: string;
}

const KEY = 'keyhost.desk.request';

export function storeRequest(request: PendingRequest): void {
  sessionStorage.setItem(KEY, JSON.stringify(request));
}

/** Reads and removes it: it is single-use. */
export function takeRequest(): PendingRequest | undefined {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return stored === null ? undefined : (JSON.parse(stored) as PendingRequest);
}
