import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import { HOST_ADMIN, type LocatedError } from './failure.ts';
import { request, requestText } from './request.ts';

/** A mistake in a file or a document. `file`: relative to the realms folder, absent of a document. */
export interface Problem extends LocatedError {
  readonly file?: string;
  /** Such as `clients[2].redirectUris[0]`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export const FILE_STATES = ['applied', 'drifted', 'invalid'] as const;

/** A file as `GET /admin/realm-files` tells of it. */
export interface RealmFileState {
  /** Relative to the realms folder. */
  readonly path: string;
  /** Absent: it never made one. */
  readonly realm?: string;
  readonly state: (typeof FILE_STATES)[number];
  /** Of the live realm. */
  readonly version?: number;
  /** When it was applied, or found to be invalid: ISO 8601. */
  readonly since?: string;
  readonly problems: readonly Problem[];
  readonly conflicts: readonly string[];
  readonly edits: readonly string[];
}

export interface FileText {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Secrets are masked; absent: the file is too large. */
  readonly text?: string;
}

interface Followed {
  /** False: the process that answers follows no files. */
  readonly isFollowed: boolean;
}

export interface RealmFile extends RealmFileState, Followed {
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
  /** True: it differs in what is not shown. */
  readonly isHidden?: boolean;
}

export interface RealmPlan {
  readonly realm: string;
  /** Of the live realm; absent where there is none. */
  readonly version?: number;
  readonly counts: readonly {
    readonly kind: string;
    readonly created: number;
    readonly changed: number;
    readonly removed: number;
  }[];
  readonly changes: readonly Change[];
  readonly conflicts: readonly { readonly path: readonly string[]; readonly sentence: string }[];
  /** Edits that stay. */
  readonly edits: readonly Change[];
  /** Changes and edits that are not told one by one. */
  readonly left: number;
  /** True: a document that is not what the realm's file says. */
  readonly isBeside?: boolean;
  /** References that are not resolved: a document with one is not applied. */
  readonly references?: readonly Problem[];
}

export interface Plan extends Followed {
  readonly problems: readonly Problem[];
  readonly realms: readonly RealmPlan[];
}

export interface Applied extends RealmPlan {
  readonly outcome: 'applied' | 'unchanged';
  readonly usersCreated: number;
}

/** No role of a realm suffices. */
const HOST = [HOST_ADMIN];
export const FILES_KEY = ['realm files'];
const fileKey = (realm: string) => ['realm', realm, 'file'];

/** Files with their state, by path, a page at a time. */
export function realmFiles(query: { search?: string; state?: string; first: number; max: number }) {
  return queryOptions({
    queryKey: [...FILES_KEY, query],
    queryFn: ({ signal }) =>
      request<Followed & { readonly files: readonly RealmFileState[] }>('/realm-files', { query, roles: HOST, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Milliseconds after which the page looks whether the file was changed in an editor. */
export const AGAIN_MS = 3_000;

export function realmFile(realm: string) {
  return queryOptions({
    queryKey: fileKey(realm),
    queryFn: ({ signal }) => request<RealmFile>(`/realm-files/${segment(realm)}`, { roles: HOST, signal }),
    refetchInterval: AGAIN_MS,
  });
}

/** What tells the live realm from what its file makes, as far as the file says nothing of it. @param version of what is shown: another one reads anew */
export function driftOf(realm: string, version: number | string | undefined) {
  return queryOptions({
    queryKey: [...fileKey(realm), 'drift', version],
    queryFn: ({ signal }) =>
      request<Plan>('/realm-files/plan', { method: 'POST', query: { realm }, roles: HOST, signal }),
  });
}

/** What a document would change. @param takesBack edits too that it says nothing of */
export function planDocument(document: string, takesBack: boolean): Promise<Plan> {
  return request('/realm-files/plan', { method: 'POST', document, query: { takeBack: takesBack }, roles: HOST });
}

/** Makes a realm what a document says. No file is written. */
export function applyDocument(realm: string, document: string, takesBack: boolean): Promise<Applied> {
  const query = { takeBack: takesBack };
  return request(`/realm-files/${segment(realm)}/apply`, { method: 'POST', document, query, roles: HOST });
}

/** Makes a realm what its file says: edits that the file says nothing of are taken back, secrets that it does not state are not. */
export function takeEditsBack(realm: string): Promise<Applied> {
  return request(`/realm-files/${segment(realm)}/apply`, { method: 'POST', roles: HOST });
}

/** The live realm as the text of a file that makes it again, without secrets. */
export function exportedRealm(realm: string): Promise<string> {
  return requestText(`/realm-files/${segment(realm)}/export`, { roles: HOST });
}

/** The page of a file. One that never made a realm is found by what its name says of the realm. */
export function fileHref({ realm, path }: Pick<RealmFileState, 'realm' | 'path'>): string {
  return `/realms/${segment(realm ?? path.replace(/(-realm)?\.json$/, ''))}/file`;
}
