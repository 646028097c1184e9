import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { ApiFailure, HOST_ADMIN, type LocatedError } from './failure.ts';
import { request, requestText } from './request.ts';

/** A mistake in a file or a document. `file` is relative to the realms folder, and absent for a document. */
export interface Problem extends LocatedError {
  readonly file?: string;
  /** Such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export const FILE_STATES = ['applied', 'drifted', 'invalid'] as const;

/** The state of a file in `GET /admin/realm-files`. */
export interface RealmFileState {
  /** Relative to the realms folder. */
  readonly path: string;
  /** Absent if the file never defined one. */
  readonly realm?: string;
  readonly state: (typeof FILE_STATES)[number];
  /** The version of the live realm. */
  readonly version?: number;
  /** The time at which it was applied or found to be invalid: ISO 8601. */
  readonly since?: string;
  readonly problems: readonly Problem[];
  readonly conflicts: readonly string[];
  readonly edits: readonly string[];
}

export interface FileText {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Secrets are masked. Absent if the file is too large. */
  readonly text?: string;
}

interface WatchState {
  /** False if the answering process does not watch files. */
  readonly isFollowed: boolean;
}

export interface RealmFile extends RealmFileState, WatchState {
  /** The main file first. */
  readonly files: readonly FileText[];
}

export interface Change {
  readonly kind: string;
  readonly operation: 'created' | 'changed' | 'removed';
  readonly path: readonly string[];
  readonly sentence: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** True if only hidden values differ. */
  readonly isHidden?: boolean;
}

export interface RealmPlan {
  readonly realm: string;
  /** The version of the live realm; absent if there is none. */
  readonly version?: number;
  readonly counts: readonly {
    readonly kind: string;
    readonly created: number;
    readonly changed: number;
    readonly removed: number;
  }[];
  readonly changes: readonly Change[];
  readonly conflicts: readonly { readonly path: readonly string[]; readonly sentence: string }[];
  /** Edits that are preserved. */
  readonly edits: readonly Change[];
  /** The number of changes and edits that are not listed. */
  readonly left: number;
  /** True if the document differs from the realm's file. */
  readonly isBeside?: boolean;
  /** Unresolved references, with which a document is not applied. */
  readonly references?: readonly Problem[];
  readonly warnings?: readonly Problem[];
}

/** The result that an import of a document would have. */
export interface DocumentReport {
  /** Mistakes, which prevent the import. */
  readonly problems: readonly Problem[];
  /** Absent if there are mistakes. */
  readonly realm?: {
    readonly name: string;
    readonly clients: number;
    readonly groups: number;
    readonly users: number;
    readonly warnings: readonly Problem[];
    /** Client IDs of clients without a secret. An import creates a new secret for each. */
    readonly newSecrets: readonly string[];
  };
}

/** The host's limit for a document to check, in bytes. @param isHostAdmin true for a user with `admin` in master */
export const checkedDocumentLimit = (isHostAdmin: boolean) => (isHostAdmin ? 2048 : 256) * 1024;

export interface Plan extends WatchState {
  readonly problems: readonly Problem[];
  readonly realms: readonly RealmPlan[];
}

export interface AppliedDocument extends RealmPlan {
  readonly outcome: 'applied' | 'unchanged';
  readonly usersCreated: number;
}

/** Only `HOST_ADMIN`: no role of a realm suffices. */
const HOST_ONLY = [HOST_ADMIN];
export const FILES_KEY = ['realm files'];
const fileKey = (realm: string) => ['realm', realm, 'file'];

/** Files with their state, by path, a page at a time. */
export function realmFiles(query: { search?: string; state?: string; first: number; max: number }) {
  return queryOptions({
    queryKey: [...FILES_KEY, query],
    queryFn: ({ signal }) =>
      request<WatchState & { readonly files: readonly RealmFileState[] }>('/realm-files', {
        query,
        roles: HOST_ONLY,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The interval at which the page checks whether the file was changed in an editor, in milliseconds. */
export const POLL_INTERVAL_MS = 3_000;

/**
 * The file of a realm; null if the realm has none, or does not exist. It is not an error: a query without data is
 * pending again at each poll, and the page would unmount its editor.
 */
export function realmFile(realm: string) {
  return queryOptions({
    queryKey: fileKey(realm),
    queryFn: async ({ signal }) => {
      const path = `/realm-files/${encodeSegment(realm)}`;
      try {
        return (await request<RealmFile | undefined>(path, { roles: HOST_ONLY, signal })) ?? null;
      } catch (error) {
        if (error instanceof ApiFailure && error.kind === 'absent') return null;
        throw error;
      }
    },
    refetchInterval: POLL_INTERVAL_MS,
  });
}

/**
 * The edits of the live realm that its file does not mention.
 * @param version the shown version: a new one reads again
 */
export function driftOf(realm: string, version: number | string | undefined) {
  return queryOptions({
    queryKey: [...fileKey(realm), 'drift', version],
    queryFn: ({ signal }) =>
      request<Plan>('/realm-files/plan', { method: 'POST', query: { realm }, roles: HOST_ONLY, signal }),
  });
}

/** Checks the realm file of a new realm. Nothing is created. */
export function checkDocument(document: string): Promise<DocumentReport> {
  return request('/realm-files/check', { method: 'POST', document, roles: ['create-realm'] });
}

/** Plans the changes of a document. @param takesBack true to revert edits that it does not mention */
export function planDocument(document: string, takesBack: boolean): Promise<Plan> {
  return request('/realm-files/plan', { method: 'POST', document, query: { takeBack: takesBack }, roles: HOST_ONLY });
}

/** Applies a document to a realm. No file is written. */
export function applyDocument(realm: string, document: string, takesBack: boolean): Promise<AppliedDocument> {
  const query = { takeBack: takesBack };
  return request(`/realm-files/${encodeSegment(realm)}/apply`, { method: 'POST', document, query, roles: HOST_ONLY });
}

/** Applies a realm's file again. It reverts edits that the file does not mention, except for secrets. */
export function revertEdits(realm: string): Promise<AppliedDocument> {
  return request(`/realm-files/${encodeSegment(realm)}/apply`, { method: 'POST', roles: HOST_ONLY });
}

/** The live realm as the text of a realm file, without secrets. */
export function exportRealm(realm: string): Promise<string> {
  return requestText(`/realm-files/${encodeSegment(realm)}/export`, { roles: HOST_ONLY });
}

/** The path of a file's page. For a file that never defined a realm, the name of the file decides. */
export function fileHref({ realm, path }: Pick<RealmFileState, 'realm' | 'path'>): string {
  return `/realms/${encodeSegment(realm ?? path.replace(/(-realm)?\.json$/, ''))}/file`;
}
