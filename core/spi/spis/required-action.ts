import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import type { BrokeredIdentity, ClientView, UserView } from '../views.js';
import type { StepPage } from './authenticator.js';
import { checkDescribed, type Described } from './description.js';
import { settingTexts } from './setting-texts.js';
import { REQUIRED_ACTION_STEP } from './step-answers.js';
import type { Message, Notice } from './theme.js';

/**
 * The declaration of a required action (Keycloak's RequiredActionFactory). Its alias in the realm is the provider's ID.
 */
export interface RequiredActionDeclaration extends Pick<Described, 'settings'> {
  /** The name for users and admins, such as "Update Password": a text or a message key. */
  readonly displayText: string;
  /** The event type. Default: `CUSTOM_REQUIRED_ACTION`. */
  readonly eventType?: string;
  /** True: a mailed link that requests the action works once. Default: false. */
  readonly oneTime?: boolean;
  /** True: an application may request it by `kc_action` (Keycloak's InitiatedActionSupport). Default: false. */
  readonly initiable?: boolean;
}

/** The login, as an action sees it. */
export interface RequiredActionContext {
  readonly user: UserView;
  readonly client: ClientView;
  /** The `config` of the action in the realm's `requiredActions`. */
  readonly config: Readonly<Record<string, string>>;
  /** The notes that steps and actions have set up to now. */
  readonly notes: Readonly<Record<string, string>>;
  /**
   * The `state` that the action returned with the answered page. It is passed once: a second answer to the same page
   * has none.
   */
  readonly state: string | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** True if only an application requested it, with `kc_action`: the user can cancel. */
  readonly initiated: boolean;
  /** The part after the colon in `kc_action=NAME:parameter`. */
  readonly parameter: string | undefined;
  /** The ID of this login. A link with this ID in `asid` of its action token continues the login. */
  readonly login: string;
  /** The account at the identity provider, after the outcome `identity-provider`. */
  readonly brokered: BrokeredIdentity | undefined;
}

/** The login for which `triggered` is called, in a browser or by a direct grant. The user is signed in. */
export type RequiredActionTrigger = Pick<RequiredActionContext, 'client' | 'config' | 'notes'>;

/** The result of a required action. */
export type RequiredActionStep =
  /** The action is done and no longer required. The login's notes become notes of the session. */
  | {
      readonly outcome: 'success';
      /** User attributes to set; an empty list removes one. */
      readonly attributes?: Readonly<Record<string, readonly string[]>>;
      readonly notes?: Readonly<Record<string, string>>;
      /** True: every other session of the user ends. */
      readonly signOutOthers?: boolean;
      /** Details of the event. */
      readonly details?: Readonly<Record<string, string>>;
    }
  /**
   * The user skips the action: the login continues, and the action stays required. An application that requested it
   * gets `kc_action_status=error`. If `error` is set, it is the error of an event.
   */
  | { readonly outcome: 'ignored'; readonly error?: string }
  /**
   * The page asks the user for something. Keycloak's event error for a wrong answer is `error`. The `message` is shown
   * as an error unless it has another `severity`. The `state` is stored with the login until the page is answered; the
   * browser does not see it.
   */
  | {
      readonly outcome: 'challenge';
      readonly page: StepPage;
      readonly message?: Message & Partial<Notice>;
      readonly error?: string;
      readonly state?: string;
      readonly notes?: Readonly<Record<string, string>>;
    }
  /**
   * The user signs in at this identity provider of the realm. Then the action is called again, with the identity from
   * there. `loginHint` works as in a step of a flow.
   */
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /** The login ends, and the application gets `access_denied`. */
  | { readonly outcome: 'failure'; readonly error: string; readonly message: Message };

/**
 * Keycloak's RequiredActionProvider: an action that the user must complete between signing in and returning to the
 * application.
 */
export interface RequiredActionProvider {
  /**
   * Returns true if the user must complete the action although it was not requested, for example because a password has
   * expired. Called again after each action of the login, which may have changed the result. No action runs twice in a
   * login.
   */
  triggered?(user: UserView, context: RequiredActionTrigger): Promise<boolean>;
  /** Called when the login reaches this action (Keycloak's requiredActionChallenge). */
  challenge(context: RequiredActionContext): Promise<RequiredActionStep>;
  /** Called when the user answers the page (Keycloak's processAction). `form` is as in a step of a flow. */
  action(context: RequiredActionContext, form: Readonly<Record<string, string>>): Promise<RequiredActionStep>;
}

/**
 * An action of the realm's `requiredActions`, which name it as `providerId` and enable it.
 * @example
 * ```ts
 * import { provide, RequiredAction, type StepPage } from '@keyhost/spi';
 *
 * const page: StepPage = {
 *   page: 'form',
 *   title: { key: 'rulesTitle', texts: { en: 'House rules' } },
 *   fields: [],
 *   submit: { key: 'rulesAccept', texts: { en: 'Accept' } },
 * };
 *
 * export default provide(RequiredAction, {
 *   id: 'accept-rules',
 *   displayText: 'Accept the house rules',
 *   open: () => ({
 *     create: () => ({
 *       challenge: async () => ({ outcome: 'challenge', page }),
 *       action: async () => ({ outcome: 'success' }),
 *     }),
 *   }),
 * });
 * ```
 */
export const RequiredAction = spi<RequiredActionDeclaration, RequiredActionProvider>({
  id: 'required-action',
  name: 'RequiredAction',
  carries: 'proof',
  declares: ['settings', 'displayText', 'eventType', 'oneTime', 'initiable'],
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'requiredActions',
    *mentions({ requiredActions }) {
      for (const [index, { providerId, alias, enabled }] of entriesOf(requiredActions)) {
        yield { id: String(providerId ?? alias), path: ['requiredActions', index], enabled: enabled === true };
      }
    },
    example: (id, settings) =>
      `"requiredActions": [{ "alias": "${id}", "providerId": "${id}", "name": "${id}", "enabled": true${configExample(settings)} }]`,
  },
  methods: {
    required: ['challenge', 'action'],
    optional: ['triggered'],
    instead: { triggered: async () => false },
  },
  answers: { triggered: { type: 'boolean' }, challenge: REQUIRED_ACTION_STEP, action: REQUIRED_ACTION_STEP },
  check(declaration) {
    checkDescribed(declaration);
    if (typeof declaration.displayText !== 'string') throw new Error('displayText must be a string');
  },
});

function configExample(settings: JsonObject): string {
  return Object.keys(settings).length === 0 ? '' : `, "config": ${JSON.stringify(settingTexts(settings))}`;
}
