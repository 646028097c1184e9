import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { chosenBy, object } from './answer-schemas.js';
import { FIELD, MESSAGE, NOTICE } from './step-answers.js';
import type { Message, Notice, PageField } from './theme.js';

export type AccountPageIcon = 'bell' | 'card' | 'key' | 'list' | 'mail' | 'shield';

/** Something that users can do on the page. Texts are texts, or keys of the plugin's `messages`. */
export interface AccountPageAction {
  /** On its button. */
  readonly label: string;
  /** Asked before it is done. */
  readonly confirm?: string;
  readonly danger?: boolean;
  /** True: the user must have signed in during the last five minutes, or signs in again. */
  readonly recent?: boolean;
}

export interface AccountPageDeclaration {
  /** In the navigation, and above the page. A text, or a key of the plugin's `messages`. */
  readonly title: string;
  /** Below the title. */
  readonly description?: string;
  /** Default: `list`. */
  readonly icon?: AccountPageIcon;
  /** By name. */
  readonly actions?: Readonly<Record<string, AccountPageAction>>;
}

/** A text as it is, a moment in milliseconds since the epoch, or words in the user's language. */
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
  /** At most 100 rows. The value of the first column is what a row is called. */
  | {
      readonly kind: 'table';
      readonly title?: Message;
      readonly text?: Message;
      readonly columns: readonly { readonly name: string; readonly label: Message }[];
      readonly rows: readonly AccountPageRow[];
      /** Shown when there are no rows. */
      readonly empty: Message;
    }
  /** Fields, whose names no other form of the page has, and the action that they are for. */
  | {
      readonly kind: 'form';
      readonly title?: Message;
      readonly text?: Message;
      readonly fields: readonly PageField[];
      readonly action: string;
      /** Tells it from other blocks with the same action. */
      readonly id?: string;
    }
  /** A button. `id` tells it from other blocks with the same action. */
  | {
      readonly kind: 'action';
      readonly title?: Message;
      readonly text?: Message;
      readonly action: string;
      readonly id?: string;
    };

export interface AccountPageRow {
  /** Tells it from the others of the page. */
  readonly id: string;
  /** By the names of the columns. */
  readonly cells: Readonly<Record<string, AccountPageValue>>;
  /** What can be done with it: names of actions. */
  readonly actions?: readonly string[];
}

export interface AccountPageContent {
  /** At most 20, from top to bottom. */
  readonly blocks: readonly AccountPageBlock[];
}

export interface AccountPageRequest {
  /** Who looks at the page. All that it shows and does is theirs. */
  readonly user: UserView;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
}

export interface AccountPageCall extends AccountPageRequest {
  /** One that the page offers to this user now. */
  readonly action: string;
  /** The `id` of the form or button, if it has one. */
  readonly block?: string;
  /** The row that it is about: one that the page shows to this user now. */
  readonly row?: string;
  /** What was filled in, by the names of the form's fields and of no others. Of several values each is a line. */
  readonly form: Readonly<Record<string, string>>;
}

export type AccountPageResult =
  /** Told on the page, which is shown anew. */
  | { readonly outcome: 'done'; readonly message?: Notice }
  /** Nothing was changed. The page keeps what was typed. */
  | {
      readonly outcome: 'refused';
      readonly message?: Message;
      readonly errors?: readonly { readonly field: string; readonly message: Message }[];
    };

/** If it throws, or is late, the page says that it is not available. The other pages go on. */
export interface AccountPageProvider {
  show(request: AccountPageRequest): Promise<AccountPageContent>;
  /** Called for a form of the user's own page, after `show` has offered it once more. */
  act?(call: AccountPageCall): Promise<AccountPageResult>;
}

const TEXT: JsonSchema = { type: 'string' };
const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const list = (items: JsonSchema, maxItems: number): JsonSchema => ({ type: 'array', items, maxItems });
const VALUE: JsonSchema = {
  anyOf: [TEXT, object({ time: { type: 'integer', minimum: 0, maximum: 8.64e15 } }), MESSAGE],
};
const WORDS = { title: MESSAGE, text: MESSAGE };
const ROW = object({ id: NAME, cells: { type: 'object', additionalProperties: VALUE } }, { actions: list(NAME, 10) });
const BLOCK = chosenBy('kind', {
  text: object({ kind: TEXT, text: MESSAGE }),
  facts: object({ kind: TEXT, facts: list(object({ label: MESSAGE, value: VALUE }), 50) }, { title: MESSAGE }),
  table: object(
    { kind: TEXT, columns: list(object({ name: NAME, label: MESSAGE }), 12), rows: list(ROW, 100), empty: MESSAGE },
    WORDS,
  ),
  form: object({ kind: TEXT, fields: list(FIELD, 50), action: NAME }, { ...WORDS, id: NAME }),
  action: object({ kind: TEXT, action: NAME }, { ...WORDS, id: NAME }),
});
const RESULT = chosenBy('outcome', {
  done: object({ outcome: TEXT }, { message: NOTICE }),
  refused: object({ outcome: TEXT }, { message: MESSAGE, errors: list(object({ field: NAME, message: MESSAGE }), 50) }),
});

const LABEL: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const FLAG: JsonSchema = { type: 'boolean' };

/** A page of the account page, which the host draws: declared as data, filled by the plugin's methods. No counterpart in Keycloak. */
export const AccountPage = spi<AccountPageDeclaration, AccountPageProvider>({
  id: 'account-page',
  name: 'AccountPage',
  // A setting that decides who gets a link or a token declares `guarded: true`.
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
