import type { JsonSchema } from '../json-schema.js';

/** Words for people, never markup: in English, or by language with English among them. */
export type PageText = string | { readonly en: string; readonly [language: string]: string };

/** A JSON pointer (RFC 6901), such as `/user/name`; empty: the whole. */
export type PagePointer = string;

/** A page of the desk, as data: a provider of `AdminPage` declares it, and answers its operations. */
export interface AdminPageDeclaration {
  readonly title: PageText;
  /** Where the desk shows it: in the side bar of the realm, or on the page of each user, of each client, or of the plugin's providers. */
  readonly at: 'realm' | 'user' | 'client' | 'provider';
  /** Roles of `realm-management`, of which one suffices to see the page and to call its GETs. */
  readonly view: readonly string[];
  /** Roles of which one suffices to call the other operations. */
  readonly manage: readonly string[];
  /** By name; the provider has a method of that name for each. */
  readonly operations: Readonly<Record<string, PageOperation>>;
  /** At most 20, from top to bottom. */
  readonly blocks: readonly PageBlock[];
}

export interface PageOperation {
  /** All but GET change something: each call is an admin event. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** JSON Schema of the body, an object, with defaults filled in. Without it there is no body; GET has none. */
  readonly body?: JsonSchema;
}

export type PageBlock = PageTextBlock | PageTable | PageForm;

export interface PageTextBlock {
  readonly kind: 'text';
  readonly text: PageText;
  readonly tone?: 'info' | 'warning';
  readonly link?: PageLink;
}

export interface PageLink {
  readonly title: PageText;
  /**
   * A path of the realm's pages in the desk, such as `/users`, or `/pages/` and the id of an AdminPage of the realm; or an address
   * that begins with `https://`.
   */
  readonly to: string;
}

export interface PageTable {
  readonly kind: 'table';
  readonly id: string;
  readonly title: PageText;
  /** Shown below the title. */
  readonly link?: PageLink;
  /** A GET that answers `PageRows`. It is given `first`, `max` and `search`. */
  readonly rows: PageCall;
  /** What tells a row from the others. */
  readonly key: PagePointer;
  /** At most 12. */
  readonly columns: readonly PageColumn[];
  /** There is a field for words to search for. */
  readonly search?: true;
  /** The text of an empty table. */
  readonly empty: PageText;
  readonly actions?: readonly PageAction[];
  readonly rowActions?: readonly PageAction[];
}

export interface PageColumn {
  readonly title: PageText;
  /** The place of the value in the row. */
  readonly at: PagePointer;
  /**
   * How it is shown. Default: `text`. `time` is milliseconds since the epoch; `user` and `client` are ids, shown by name and
   * linked; `link` is a path of the realm's pages in the desk or an `https:` address.
   */
  readonly as?: 'text' | 'code' | 'number' | 'time' | 'yesno' | 'user' | 'client' | 'link' | PageBadge;
}

/** Some values are shown as marks of a colour; others as text. */
export interface PageBadge {
  readonly badge: Readonly<Record<string, 'good' | 'warning' | 'bad' | 'neutral'>>;
  /** What is shown for a value in each language. Default: the value. */
  readonly words?: Readonly<Record<string, PageText>>;
}

/** A button. */
export interface PageAction {
  readonly title: PageText;
  /** Opens a form of the page, or calls an operation that is no GET. */
  readonly does: { readonly form: string } | PageCall;
  /** Asked before it is done. */
  readonly confirm?: PageText;
  readonly danger?: true;
}

export interface PageForm {
  readonly kind: 'form';
  readonly id: string;
  readonly title: PageText;
  /** Shown below the title. */
  readonly link?: PageLink;
  /** JSON Schema of the input, an object. `title` and `description` of its members are English. */
  readonly schema: JsonSchema;
  /** The words of fields in all languages, by pointers into the input. They replace the schema's. */
  readonly fields?: Readonly<Record<PagePointer, { readonly title?: PageText; readonly help?: PageText }>>;
  /** A GET that answers what the form begins with. */
  readonly initial?: PageCall;
  /** An operation that is no GET and has a body: what was filled in. */
  readonly submit: PageCall;
  readonly submitTitle: PageText;
  /** It is shown when an action opens it, not with the page. */
  readonly opens?: 'by-action';
  /** What of the answer is shown, and the ids of the tables that are read again. */
  readonly result?: { readonly show: readonly PageResult[]; readonly reload?: readonly string[] };
}

export interface PageResult extends PageColumn {
  /** Shown and never again, such as a link: neither log nor event holds it. */
  readonly once?: true;
}

/**
 * A call of an operation of the page. `with` adds members to its body, or parameters to the query where it has none: out of
 * the row of the action, or the id of the user or client of the page.
 */
export interface PageCall {
  readonly operation: string;
  readonly with?: Readonly<Record<string, { readonly row: PagePointer } | { readonly subject: 'id' }>>;
}
