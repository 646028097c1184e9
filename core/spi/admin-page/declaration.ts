import type { JsonSchema } from '../json-schema.js';

/** A text without markup: in English, or in several languages including English. */
export type PageText = string | { readonly en: string; readonly [language: string]: string };

/** A JSON pointer (RFC 6901), such as `/user/name`; empty for the whole value. */
export type PagePointer = string;

/** A page of the admin console, as data: a provider of `AdminPage` declares it, and implements its operations. */
export interface AdminPageDeclaration {
  readonly title: PageText;
  /**
   * The location in the admin console: the side bar of the realm, or the page of each user, of each client, or of the
   * plugin's providers.
   */
  readonly at: 'realm' | 'user' | 'client' | 'provider';
  /** Roles of `realm-management`. An admin needs one of them to view the page and to call its GET operations. */
  readonly view: readonly string[];
  /** Roles of `realm-management`. An admin needs one of them to call the other operations. */
  readonly manage: readonly string[];
  /** The operations by name; the provider has a method with that name for each. */
  readonly operations: Readonly<Record<string, PageOperation>>;
  /** At most 20, from top to bottom. */
  readonly blocks: readonly PageBlock[];
}

/** An operation of a page, which a method of the provider implements. */
export interface PageOperation {
  /** Every method except GET changes something: each call is an admin event. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** JSON Schema of the body, an object, with defaults filled in. Default: no body. A GET has none. */
  readonly body?: JsonSchema;
}

/** A part of a page: a text, a table or a form. */
export type PageBlock = PageTextBlock | PageTable | PageForm;

/** A paragraph of text, with an optional link. */
export interface PageTextBlock {
  readonly kind: 'text';
  readonly text: PageText;
  /** Highlights the text. Default: plain text. */
  readonly tone?: 'info' | 'warning';
  readonly link?: PageLink;
}

/** A link in a page. */
export interface PageLink {
  readonly title: PageText;
  /**
   * A path of the realm's pages in the admin console, such as `/users`; or `/pages/` and the ID of an AdminPage of the
   * realm; or a URL that begins with `https://`.
   */
  readonly to: string;
}

/** A table whose rows an operation returns. */
export interface PageTable {
  readonly kind: 'table';
  /** Unique among the blocks of the page. */
  readonly id: string;
  readonly title: PageText;
  /** Shown below the title. */
  readonly link?: PageLink;
  /** A GET that returns `PageRows`. It gets `first`, `max` and `search`. */
  readonly rows: PageCall;
  /** The unique key of a row. */
  readonly key: PagePointer;
  /** At most 12. */
  readonly columns: readonly PageColumn[];
  /** Shows a search field. */
  readonly search?: true;
  /** The text of an empty table. */
  readonly empty: PageText;
  /** Buttons above the table. */
  readonly actions?: readonly PageAction[];
  /** Buttons of each row. */
  readonly rowActions?: readonly PageAction[];
}

/** A column of a table. */
export interface PageColumn {
  readonly title: PageText;
  /** The position of the value in the row. */
  readonly at: PagePointer;
  /**
   * The display format. Default: `text`. `time` is milliseconds since the epoch. A `user` or `client` is an ID, shown
   * as a link with the name. A `link` is a path of the realm's pages in the admin console or an `https:` URL.
   */
  readonly as?: 'text' | 'code' | 'number' | 'time' | 'yesno' | 'user' | 'client' | 'link' | PageBadge;
}

/** Shows the listed values as coloured badges, others as text. */
export interface PageBadge {
  /** The colour of a badge by its value. */
  readonly badge: Readonly<Record<string, 'good' | 'warning' | 'bad' | 'neutral'>>;
  /** The text for a value in each language. Default: the value. */
  readonly words?: Readonly<Record<string, PageText>>;
}

/** A button. */
export interface PageAction {
  readonly title: PageText;
  /** Opens a form of the page, or calls an operation other than GET. */
  readonly does: { readonly form: string } | PageCall;
  /** The question that the admin must confirm first. */
  readonly confirm?: PageText;
  /** Highlights a destructive action. */
  readonly danger?: true;
}

/** A form that calls an operation with its input. */
export interface PageForm {
  readonly kind: 'form';
  /** Unique among the blocks of the page. */
  readonly id: string;
  readonly title: PageText;
  /** Shown below the title. */
  readonly link?: PageLink;
  /** JSON Schema of the input, an object. `title` and `description` of its members are English. */
  readonly schema: JsonSchema;
  /** The texts of fields in all languages, by pointers into the input. They replace the schema's. */
  readonly fields?: Readonly<Record<PagePointer, { readonly title?: PageText; readonly help?: PageText }>>;
  /** A GET that returns the initial values of the form. */
  readonly initial?: PageCall;
  /** An operation other than GET, whose body is the input. */
  readonly submit: PageCall;
  /** The label of the button. */
  readonly submitTitle: PageText;
  /** If set, the form is hidden until an action opens it. */
  readonly opens?: 'by-action';
  /** The parts of the result to show, and the IDs of the tables to reload. */
  readonly result?: { readonly show: readonly PageResult[]; readonly reload?: readonly string[] };
}

/** A value of a form's result to show. */
export interface PageResult extends PageColumn {
  /** Shown only once, such as a link: it is neither logged nor stored in an event. */
  readonly once?: true;
}

/**
 * A call of an operation of the page. `with` adds members to its body, or query parameters if it has no body. Their
 * values are taken from the row of the action, or are the ID of the page's user or client.
 */
export interface PageCall {
  /** The name of the operation. */
  readonly operation: string;
  readonly with?: Readonly<Record<string, { readonly row: PagePointer } | { readonly subject: 'id' }>>;
}
