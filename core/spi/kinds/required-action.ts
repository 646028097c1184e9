import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import type { BrokeredIdentity, ClientView, UserView } from '../views.js';
import type { StepPage } from './authenticator.js';
import { checkDescribed, type Described } from './description.js';
import type { Message, Notice } from './theme.js';

/** What a required action declares (Keycloak's RequiredActionFactory). Its alias in the realm is the provider's id. */
export interface RequiredActionDeclaration extends Pick<Described, 'settings'> {
  /** What users and admins call it, such as "Update Password": a text or a message key. */
  readonly displayText: string;
  /** The type of its event. Default: `CUSTOM_REQUIRED_ACTION`. */
  readonly eventType?: string;
  /** True: a mailed link that asks for it works once. Default: false. */
  readonly oneTime?: boolean;
  /** True: an application may ask for it by `kc_action` (Keycloak's InitiatedActionSupport). Default: false. */
  readonly initiable?: boolean;
}

/** What an action knows of the login that it is part of. */
export interface RequiredActionContext {
  readonly user: UserView;
  readonly client: ClientView;
  /** The `config` of the action in the realm's `requiredActions`. */
  readonly config: Readonly<Record<string, string>>;
  /** What steps and actions noted so far. */
  readonly notes: Readonly<Record<string, string>>;
  /** What the action kept with the page that is answered. It comes back once; a second answer to the page is without. */
  readonly state: string | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** True when an application asked for it by `kc_action` and nobody else did: then the user may cancel. */
  readonly initiated: boolean;
  /** The part after the colon in `kc_action=NAME:parameter`. */
  readonly parameter: string | undefined;
  /** The name of this login, as an action token carries it in `asid`: a link that carries it goes on with the login. */
  readonly login: string;
  /** The account at the identity provider where the action let the user sign in. */
  readonly brokered: BrokeredIdentity | undefined;
}

export type RequiredActionStep =
  /** It is done and no longer required. The login's notes become notes of the session. */
  | {
      readonly outcome: 'success';
      /** Attributes of the user that get these values; an empty list removes one. */
      readonly attributes?: Readonly<Record<string, readonly string[]>>;
      readonly notes?: Readonly<Record<string, string>>;
      /** True: every other session of the user ends. */
      readonly signOutOthers?: boolean;
      /** Details of the event. */
      readonly details?: Readonly<Record<string, string>>;
    }
  /** Not now: the login goes on, and the action stays required. An application that asked for it hears `error`. */
  | { readonly outcome: 'ignored' }
  /**
   * The user is asked for something. `error` is Keycloak's event error of an answer that was wrong; `message` is one unless it
   * says otherwise. `state` stays with the login, where the browser does not see it, until the page is answered.
   */
  | {
      readonly outcome: 'challenge';
      readonly page: StepPage;
      readonly message?: Message & Partial<Notice>;
      readonly error?: string;
      readonly state?: string;
      readonly notes?: Readonly<Record<string, string>>;
    }
  /** The user signs in at this identity provider of the realm; then the action is asked again, with the account there. */
  | { readonly outcome: 'identity-provider'; readonly alias: string }
  /** The login ends, and the application gets `access_denied`. */
  | { readonly outcome: 'failure'; readonly error: string; readonly message: Message };

/** Keycloak's RequiredActionProvider: what a user must do after logging in and before the application gets an answer. */
export interface RequiredActionProvider {
  /** True when the user must do it although nobody asked for it, such as when a password has grown old. */
  triggered?(user: UserView): Promise<boolean>;
  /** The login has come to this action (Keycloak's requiredActionChallenge). */
  challenge(context: RequiredActionContext): Promise<RequiredActionStep>;
  /** The user answered the page (Keycloak's processAction). `form` is as for a step of a flow. */
  action(context: RequiredActionContext, form: Readonly<Record<string, string>>): Promise<RequiredActionStep>;
}

/** An action of the realm's `requiredActions`, which name it as `providerId` and say whether it is enabled. */
export const RequiredAction = spi<RequiredActionDeclaration, RequiredActionProvider>({
  id: 'required-action',
  name: 'RequiredAction',
  declares: ['settings', 'displayText', 'eventType', 'oneTime', 'initiable'],
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'requiredActions',
    *mentions({ requiredActions }) {
      for (const [index, { providerId, alias, enabled }] of entriesOf(requiredActions)) {
        yield { id: String(providerId ?? alias), path: ['requiredActions', index], enabled: enabled === true };
      }
    },
    example: (id) =>
      `"requiredActions": [{ "alias": "${id}", "providerId": "${id}", "name": "${id}", "enabled": true }]`,
  },
  methods: { required: ['challenge', 'action'], optional: ['triggered'] },
  check(declaration) {
    checkDescribed(declaration);
    if (typeof declaration.displayText !== 'string') throw new Error('displayText must be a string');
  },
});
