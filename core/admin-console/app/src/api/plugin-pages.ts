import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import type { LocatedError } from './failure.ts';
import type { JsonSchema } from './providers.ts';
import { request } from './request.ts';

/** A text in English, or by language including English. */
export type PageText = string | { readonly en: string; readonly [language: string]: string };
export type Row = Readonly<Record<string, unknown>>;

/**
 * A call of an operation. `with` adds members to its query or body. They are values of the row, or the ID of the user
 * or client whose page contains this one.
 */
export interface PageCall {
  readonly operation: string;
  readonly with?: Readonly<Record<string, { readonly row: string } | { readonly subject: 'id' }>>;
}

export interface PageBadge {
  readonly badge: Readonly<Record<string, 'good' | 'warning' | 'bad' | 'neutral'>>;
  readonly words?: Readonly<Record<string, PageText>>;
}

export interface PageColumn {
  readonly title: PageText;
  /** A JSON pointer into the row. */
  readonly at: string;
  readonly as?: 'text' | 'code' | 'number' | 'time' | 'yesno' | 'user' | 'client' | 'link' | PageBadge;
}

export interface PageAction {
  readonly title: PageText;
  readonly does: { readonly form: string } | PageCall;
  readonly confirm?: PageText;
  readonly danger?: true;
}

export interface BlockLink {
  readonly title: PageText;
  readonly to: string;
}

export interface TextBlock {
  readonly kind: 'text';
  readonly text: PageText;
  readonly tone?: 'info' | 'warning';
  readonly link?: BlockLink;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly id: string;
  readonly title: PageText;
  readonly link?: BlockLink;
  readonly rows: PageCall;
  readonly key: string;
  readonly columns: readonly PageColumn[];
  readonly search?: true;
  readonly empty: PageText;
  readonly actions?: readonly PageAction[];
  readonly rowActions?: readonly PageAction[];
}

export interface FormBlock {
  readonly kind: 'form';
  readonly id: string;
  readonly title: PageText;
  readonly link?: BlockLink;
  readonly schema: JsonSchema;
  readonly fields?: Readonly<Record<string, { readonly title?: PageText; readonly help?: PageText }>>;
  readonly initial?: PageCall;
  readonly submit: PageCall;
  readonly submitTitle: PageText;
  readonly opens?: 'by-action';
  readonly result?: {
    readonly show: readonly (PageColumn & { readonly once?: true })[];
    readonly reload?: readonly string[];
  };
}

/** A page as its plugin declares it (`AdminPage` of the plugin guide). */
export interface Declaration {
  readonly title: PageText;
  readonly at: 'realm' | 'user' | 'client' | 'provider';
  readonly manage: readonly string[];
  readonly view: readonly string[];
  readonly operations: Readonly<
    Record<string, { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly body?: JsonSchema }>
  >;
  readonly blocks: readonly (TextBlock | TableBlock | FormBlock)[];
}

/** An item of `GET /admin/realms/{realm}/pages`. */
export interface PluginPage {
  readonly provider: string;
  readonly plugin: { readonly name: string; readonly version: string };
  readonly mayManage: boolean;
  readonly page: Declaration;
}

/** A page as it is shown: in a realm, and for some pages at one user or client of it. */
export interface PageContext extends PluginPage {
  readonly realm: string;
  readonly subject: string | undefined;
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly more?: boolean;
  readonly total?: number;
}

/** The enabled pages of the realm that the caller may see. */
export function pluginPages(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'pages'],
    queryFn: ({ signal }) =>
      request<readonly PluginPage[]>(`/realms/${encodeSegment(realm)}/pages`, { roles: ['realm-admin'], signal }),
  });
}

/** The cache key of data that a block of a page has read. */
export function readKey({ realm, provider }: PageContext, id: string) {
  return ['realm', realm, 'page', provider, id];
}

/** The answer of a GET operation: the rows of a table, or the initial values of a form. */
export function pageRead<T>(
  context: PageContext,
  id: string,
  call: PageCall,
  row: Row | undefined,
  extraQuery: Row = {},
) {
  const query = { ...queryOf(context, call, row), ...extraQuery } as Record<string, string | number>;
  return queryOptions({
    queryKey: [...readKey(context, id), context.subject, query],
    queryFn: ({ signal }) => request<T>(pathOf(context, call), { query, roles: context.page.view, signal }),
  });
}

/**
 * Calls an operation that changes something.
 * @param input the values of the form that calls it
 * @returns the answer, undefined if there is none
 */
export function pageChange(context: PageContext, call: PageCall, row: Row | undefined, input: Row = {}) {
  const { method, body } = context.page.operations[call.operation] ?? { method: 'POST' };
  const { subject, page } = context;
  return request<Row | undefined>(pathOf(context, call), {
    method,
    roles: page.manage,
    ...(body === undefined
      ? { query: queryOf(context, call, row) }
      : { query: { subject }, body: { ...input, ...membersOf(context, call, row) } }),
  });
}

/** The value at a JSON pointer (RFC 6901). */
export function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as Row)[name] : undefined,
      value,
    );
}

export function textIn(text: PageText, language: string): string {
  return typeof text === 'string' ? text : (text[language] ?? text.en);
}

/** Errors of a page have their message in all languages: picks one. */
export function errorsIn(errors: readonly LocatedError[], language: string): readonly LocatedError[] {
  return errors.map(({ pointer, message }) => ({ pointer, message: textIn(message as PageText, language) }));
}

function pathOf({ realm, provider }: PageContext, { operation }: PageCall): string {
  return `/realms/${encodeSegment(realm)}/pages/${encodeSegment(provider)}/${encodeSegment(operation)}`;
}

function membersOf({ subject }: PageContext, call: PageCall, row: Row | undefined): Row {
  const members = Object.entries(call.with ?? {});
  return Object.fromEntries(members.map(([name, of]) => [name, 'row' in of ? valueAt(row, of.row) : subject]));
}

function queryOf(context: PageContext, call: PageCall, row: Row | undefined): Record<string, string | undefined> {
  const members = Object.entries(membersOf(context, call, row)).filter(([, value]) => value !== undefined);
  return { subject: context.subject, ...Object.fromEntries(members.map(([name, value]) => [name, String(value)])) };
}
