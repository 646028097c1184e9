/** What is remembered of an authorization request while the browser is away from the desk. It opens nothing by itself. */
export interface PendingRequest {
  readonly realm: string;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  /** Where to go on, as a path with its query. */
  readonly path: string;
}

const KEY = 'keyhost.desk.request';

export function keepRequest(request: PendingRequest): void {
  sessionStorage.setItem(KEY, JSON.stringify(request));
}

/** It is taken once. */
export function takeRequest(): PendingRequest | undefined {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as PendingRequest);
}
