import { checkPage } from '../admin-page/check-page.js';
import type { AdminPageDeclaration, PageOperation, PagePointer, PageText } from '../admin-page/declaration.js';
import { PAGE_SCHEMA } from '../admin-page/declaration-schema.js';
import { wrongPageAnswer } from '../admin-page/page-answers.js';
import type { FromSchema, Json, JsonObject, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';

export type * from '../admin-page/declaration.js';

/** The admin who calls an operation of a page. The host has checked that the call is allowed. */
export interface PageAdmin {
  /** The realm of the user and of the client: the realm of the page, or `master`. */
  readonly realm: string;
  readonly userId: string;
  readonly username: string;
  /** `client_id` of the client that the admin uses, such as the admin console. */
  readonly clientId: string;
}

/** The user or client that the page is about. The host has checked that it exists and that the admin may view it. */
export interface PageSubject {
  readonly id: string;
  /** The username, or the `client_id`. */
  readonly name: string;
}

/** One call of an operation in the realm of the session. */
export interface PageRequest<B = JsonObject | undefined> {
  readonly admin: PageAdmin;
  /** For pages at `user` and `client`. */
  readonly subject?: PageSubject;
  /** The number of rows to skip. */
  readonly first: number;
  /** The number of rows to return, at most 100. */
  readonly max: number;
  /** The search text, if there is one. */
  readonly search?: string;
  /** The other query parameters, unchecked. */
  readonly query: Readonly<Record<string, string>>;
  /** The checked body with defaults filled in; undefined if the operation declares none. */
  readonly body: B;
}

/** One page of rows for a table. */
export interface PageRows {
  /** At most 100. */
  readonly rows: readonly JsonObject[];
  /** True if more rows follow. */
  readonly more?: boolean;
  /** The total number of rows. */
  readonly total?: number;
}

/**
 * The refusal of a request, with the positions of the mistakes. The response has the status 400. Nothing may have been
 * changed.
 */
export interface PageRefusal {
  /** An error code for programs. */
  readonly error: string;
  /** A sentence for the admin. */
  readonly error_description: string;
  /** Pointers into the body. */
  readonly errors?: readonly { readonly pointer: PagePointer; readonly message: PageText }[];
}

/** Rows for the `rows` of a table, otherwise an object; undefined if a change has nothing to report. */
export type PageAnswer = PageRows | PageRefusal | { readonly [member: string]: Json | undefined } | undefined;

/** One asynchronous method per declared operation. */
export type AdminPageProvider = Readonly<Record<string, (request: PageRequest) => Promise<PageAnswer>>>;

/** The type of a provider with these operations: one method for each, with a body typed by its schema. */
export type PageOf<O extends Readonly<Record<string, PageOperation>>> = {
  readonly [K in keyof O]: (
    request: PageRequest<O[K] extends { readonly body: infer S extends JsonSchema } ? FromSchema<S> : undefined>,
  ) => Promise<PageAnswer>;
};

/**
 * A page of the admin console that is declared as data: its contents, and the operations that serve them. No
 * counterpart in Keycloak.
 * @example
 * ```ts
 * import { AdminPage, provide } from '@keyhost/spi';
 *
 * const table = { kind: 'table', id: 'notes', title: 'Notes', empty: 'No notes' } as const;
 *
 * export default provide(AdminPage, {
 *   id: 'notes',
 *   title: 'Notes',
 *   at: 'realm',
 *   view: ['view-realm'],
 *   manage: ['manage-realm'],
 *   operations: { list: { method: 'GET' } },
 *   blocks: [{ ...table, rows: { operation: 'list' }, key: '/key', columns: [{ title: 'Text', at: '/value' }] }],
 *   open: () => ({
 *     create: ({ store }) => ({
 *       list: async ({ first, max }) => ({
 *         rows: (await store.list('', { first, max })).map(({ key, value }) => ({ key, value })),
 *       }),
 *     }),
 *   }),
 * });
 * ```
 */
export const AdminPage = spi<AdminPageDeclaration, AdminPageProvider>({
  id: 'admin-page',
  name: 'AdminPage',
  // A setting that determines the recipient of a link or a token must declare `guarded: true`.
  carries: 'nothing',
  declares: PAGE_SCHEMA,
  methods: ({ operations }) => ({ required: Object.keys(operations as object), namedBy: 'operations' }),
  crosses: [{ maps: ['query'] }],
  answers: (operation, answer, page) => wrongPageAnswer(operation, answer, page as unknown as AdminPageDeclaration),
  schemas({ operations, blocks }) {
    const { entries } = Object;
    const bodies = entries(operations as AdminPageDeclaration['operations']).map(([name, { body }]) => [
      `operations.${name}.body`,
      body,
    ]);
    const forms = (blocks as AdminPageDeclaration['blocks']).map((block, index) => [
      `blocks[${index}].schema`,
      block.kind === 'form' ? block.schema : undefined,
    ]);
    return Object.fromEntries([...bodies, ...forms]);
  },
  check: (declaration) => checkPage(declaration as unknown as AdminPageDeclaration),
});
