import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { discriminatedBy, object } from './answer-schemas.js';
import { FIELD, MESSAGE, NOTICE } from './step-answers.js';
import type { Message, Notice, PageField } from './theme.js';

/** The icons that a page can have in the navigation. */
export type AccountPageIcon = 'bell' | 'card' | 'key' | 'list' | 'mail' | 'shield';

/** An action that the page offers to users. Texts are literal, or keys of the plugin's `messages`. */
export interface AccountPageAction {
  /** The text of its button. */
  readonly label: string;
  /** The question that the user must confirm first. */
  readonly confirm?: string;
  /** Highlights a destructive action. */
  readonly danger?: boolean;
  /** True: the user must have signed in during the last five minutes, or must sign in again. */
  readonly recent?: boolean;
}

/** The declaration of a page: its texts and actions. */
export interface AccountPageDeclaration {
  /** The title in the navigation and above the page. A text, or a key of the plugin's `messages`. */
  readonly title: string;
  /** The text below the title. */
  readonly description?: string;
  /** Default: `list`. */
  readonly icon?: AccountPageIcon;
  /** The actions by name. */
  readonly actions?: Readonly<Record<string, AccountPageAction>>;
}

/** A text as it is, a time in milliseconds since the epoch, or a message in the user's language. */
export type AccountPageValue = string | { readonly time: number } | Message;

/** A part of the page. Keys of messages may be those of the plugin's `messages`. */
export type AccountPageBlock =
  | { readonly kind: 'text'; readonly text: Message }
  /** Names and values. */
  | {
      readonly kind: 'facts';
      readonly title?: Message;
      readonly facts: readonly { readonly label: Message; readonly value: AccountPageValue }[];
    }
  /** At most 100 rows. The value in the first column is the name of a row. */
  | {
      readonly kind: 'table';
      readonly title?: Message;
      readonly text?: Message;
      readonly columns: readonly { readonly name: string; readonly label: Message }[];
      readonly rows: readonly AccountPageRow[];
      /** Shown when there are no rows. */
      readonly empty: Message;
    }
  /** A form for an action. Its field names are unique on the page. */
  | {
      readonly kind: 'form';
      readonly title?: Message;
      readonly text?: Message;
      readonly fields: readonly PageField[];
      readonly action: string;
      /** Distinguishes it from other blocks with the same action. */
      readonly id?: string;
    }
  /** A button. `id` distinguishes it from other blocks with the same action. */
  | {
      readonly kind: 'action';
      readonly title?: Message;
      readonly text?: Message;
      readonly action: string;
      readonly id?: string;
    };

/** A row of a table. */
export interface AccountPageRow {
  /** Unique among the rows of the page. */
  readonly id: string;
  /** The values by the names of the columns. */
  readonly cells: Readonly<Record<string, AccountPageValue>>;
  /** Names of the actions that the row offers. */
  readonly actions?: readonly string[];
}

/** The contents of a page. */
export interface AccountPageContent {
  /** At most 20, from top to bottom. */
  readonly blocks: readonly AccountPageBlock[];
}

/** A request to show a page. */
export interface AccountPageRequest {
  /** The user who views the page. Show and change only this user's data. */
  readonly user: UserView;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
}

/** A submitted form or a pressed button. */
export interface AccountPageCall extends AccountPageRequest {
  /** An action that the page offers to this user now. */
  readonly action: string;
  /** The `id` of the form or button, if it has one. */
  readonly block?: string;
  /** The row of the action: one that the page shows to this user now. */
  readonly row?: string;
  /**
   * The values of the form's fields by name, without any other field. Several values of a field are joined, one a line.
   */
  readonly form: Readonly<Record<string, string>>;
}

/** The result of an action. */
export type AccountPageResult =
  /** The page is shown again, with the message. */
  | { readonly outcome: 'done'; readonly message?: Notice }
  /** Nothing was changed. The form shows the submitted values again. */
  | {
      readonly outcome: 'refused';
      readonly message?: Message;
      readonly errors?: readonly { readonly field: string; readonly message: Message }[];
    };

/**
 * The contents and actions of a page. If a method throws or exceeds its time limit, this page is reported as
 * unavailable. The other pages still work.
 */
export interface AccountPageProvider {
  /** Returns the contents of the page for this user. */
  show(request: AccountPageRequest): Promise<AccountPageContent>;
  /** Called for a submitted form or a pressed button, after `show` was called again and still offers it to the user. */
  act?(call: AccountPageCall): Promise<AccountPageResult>;
}

const TEXT: JsonSchema = { type: 'string' };
const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const list = (items: JsonSchema, maxItems: number): JsonSchema => ({ type: 'array', items, maxItems });
const VALUE: JsonSchema = {
  anyOf: [TEXT, object({ time: { type: 'integer', minimum: 0, maximum: 8.64e15 } }), MESSAGE],
};
const TITLE_AND_TEXT = { title: MESSAGE, text: MESSAGE };
const ROW = object({ id: NAME, cells: { type: 'object', additionalProperties: VALUE } }, { actions: list(NAME, 10) });
const BLOCK = discriminatedBy('kind', {
  text: object({ kind: TEXT, text: MESSAGE }),
  facts: object({ kind: TEXT, facts: list(object({ label: MESSAGE, value: VALUE }), 50) }, { title: MESSAGE }),
  table: object(
    { kind: TEXT, columns: list(object({ name: NAME, label: MESSAGE }), 12), rows: list(ROW, 100), empty: MESSAGE },
    TITLE_AND_TEXT,
  ),
  form: object({ kind: TEXT, fields: list(FIELD, 50), action: NAME }, { ...TITLE_AND_TEXT, id: NAME }),
  action: object({ kind: TEXT, action: NAME }, { ...TITLE_AND_TEXT, id: NAME }),
});
const RESULT = discriminatedBy('outcome', {
  done: object({ outcome: TEXT }, { message: NOTICE }),
  refused: object({ outcome: TEXT }, { message: MESSAGE, errors: list(object({ field: NAME, message: MESSAGE }), 50) }),
});

const LABEL: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const FLAG: JsonSchema = { type: 'boolean' };

/**
 * A page of the account console that the host renders: declared as data, filled by the plugin's methods. No counterpart
 * in Keycloak.
 * @example
 * ```ts
 * import { AccountPage, provide } from '@keyhost/spi';
 *
 * export default provide(AccountPage, {
 *   id: 'membership',
 *   title: 'Membership',
 *   open: () => ({
 *     create: () => ({
 *       async show({ user }) {
 *         const label = { key: 'since', texts: { en: 'Member since' } };
 *         return { blocks: [{ kind: 'facts', facts: [{ label, value: { time: user.createdTimestamp ?? 0 } }] }] };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const AccountPage = spi<AccountPageDeclaration, AccountPageProvider>({
  id: 'account-page',
  name: 'AccountPage',
  // A setting that determines the recipient of a link or a token must declare `guarded: true`.
  carries: 'nothing',
  declares: object(
    { title: LABEL },
    {
      description: { type: 'string', maxLength: 1000 },
      icon: { enum: ['bell', 'card', 'key', 'list', 'mail', 'shield'] },
      actions: {
        type: 'object',
        additionalProperties: object(
          { label: LABEL },
          { confirm: { type: 'string', minLength: 1, maxLength: 1000 }, danger: FLAG, recent: FLAG },
        ),
      },
    },
  ),
  methods: { required: ['show'], optional: ['act'] },
  crosses: [{ maps: ['form'] }],
  answers: { show: object({ blocks: list(BLOCK, 20) }), act: RESULT },
});
