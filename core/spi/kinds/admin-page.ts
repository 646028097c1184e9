import { checkPage } from '../admin-page/check-page.js';
import type { AdminPageDeclaration, PageOperation, PagePointer, PageText } from '../admin-page/declaration.js';
import { PAGE_SCHEMA } from '../admin-page/declaration-schema.js';
import { wrongPageAnswer } from '../admin-page/page-answers.js';
import type { FromSchema, Json, JsonObject, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';

export type * from '../admin-page/declaration.js';

/** Who calls an operation of a page. The host has checked that they may. */
export interface PageAdmin {
  /** The realm of the user and of the client: the realm of the page, or `master`. */
  readonly realm: string;
  readonly userId: string;
  readonly username: string;
  /** `client_id` of the client that the admin uses, such as the desk. */
  readonly clientId: string;
}

/** The user or client whose tab a page is. The host has checked that it exists and that the admin may see it. */
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
  /** How many rows are to be left out at the beginning. */
  readonly first: number;
  /** How many rows are wanted, 100 at most. */
  readonly max: number;
  /** What is searched for, where anything is. */
  readonly search?: string;
  /** The other parameters of the query, unchecked. */
  readonly query: Readonly<Record<string, string>>;
  /** Checked, with defaults filled in; undefined where the operation has none. */
  readonly body: B;
}

/** What a table shows of its rows. */
export interface PageRows {
  /** At most 100. */
  readonly rows: readonly JsonObject[];
  /** There are more behind them. */
  readonly more?: boolean;
  /** How many there are in all. */
  readonly total?: number;
}

/** Says no, and where: answered as 400. Nothing may have been changed. */
export interface PageRefusal {
  /** A word that programs test. */
  readonly error: string;
  readonly error_description: string;
  /** Pointers into the body. */
  readonly errors?: readonly { readonly pointer: PagePointer; readonly message: PageText }[];
}

/** Rows for the `rows` of a table, else an object; undefined where a change has nothing to tell. */
export type PageAnswer = PageRows | PageRefusal | { readonly [member: string]: Json | undefined } | undefined;

/** One asynchronous method per declared operation. */
export type AdminPageProvider = Readonly<Record<string, (request: PageRequest) => Promise<PageAnswer>>>;

/** The provider of these operations: a method of each one's name, its body typed by its schema. */
export type PageOf<O extends Readonly<Record<string, PageOperation>>> = {
  readonly [K in keyof O]: (
    request: PageRequest<O[K] extends { readonly body: infer S extends JsonSchema } ? FromSchema<S> : undefined>,
  ) => Promise<PageAnswer>;
};

/** A page of the desk that is data: what it shows, and the operations behind it. No counterpart in Keycloak. */
export const AdminPage = spi<AdminPageDeclaration, AdminPageProvider>({
  id: 'admin-page',
  name: 'AdminPage',
  // A setting that decides who gets a link or a token declares `guarded: true`.
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
