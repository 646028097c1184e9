import type { JsonObject, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import { responseProblem } from '../response-check.js';
import type { ClientView, UserView } from '../views.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import type { ResourceResponse } from './realm-resource-provider.js';
import type { Message } from './theme.js';

/**
 * The declaration of a handler (Keycloak's AbstractActionTokenHandler constructor). The token type is the provider's
 * ID.
 */
export interface ActionTokenHandlerDeclaration extends Pick<Described, 'describe'> {
  /** JSON Schema of the custom claims: Keycloak's token class. Standard claims need not be listed. */
  readonly claims?: JsonSchema;
  /** The event type for tokens whose signature, times and standard claims are valid, such as `EXECUTE_ACTION_TOKEN`. */
  readonly eventType: string;
  /** Keycloak's event error code if no more specific code is set, such as `invalid_request`. */
  readonly defaultError: string;
  /** The message key if no more specific message is set, such as `invalidRequestMessage`. */
  readonly defaultMessage: string;
}

/** A verified action token; `C` is the type of its custom claims. */
export interface ActionToken<C = JsonObject> {
  /** The ID of the handler. */
  readonly type: string;
  /** The token's `jti`. */
  readonly id: string;
  /** The user's ID. */
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** Keycloak's `nonce`, a random value. */
  readonly nonce: string;
  /** The custom claims, checked by the handler's schema. */
  readonly claims: C;
}

/**
 * The authentication session in which a link is opened. If the token was issued in the login that is active in the
 * browser, it is that login; otherwise it is a new one.
 */
export interface AuthenticationSession {
  readonly id: string;
  /** The client of the login, if there is one. */
  readonly client: ClientView | undefined;
  /** True if this is the login of the browser in which the token was issued (Keycloak: not fresh). */
  readonly joined: boolean;
  /** Returns the notes of the session by name. */
  notes(): Promise<Readonly<Record<string, string>>>;
  /** Sets a note. The event of this request shows all notes as `note.<name>`. */
  setNote(name: string, value: string): Promise<void>;
}

/** The request of the browser that opened the link. */
export interface ActionTokenContext {
  readonly user: UserView;
  readonly authenticationSession: AuthenticationSession;
  /** The value of the page's `choices` that was posted. It is unchecked: the browser can send any text. */
  readonly choice: string | undefined;
  /** The user who is signed in to the browser. */
  browserUser(): Promise<UserView | undefined>;
}

/** The reason why `verify` of a handler refuses the token. */
export interface Refusal {
  /** Keycloak's event error code. */
  readonly error: string;
  /** The key of a `Message`: a browser shows it in its language, other callers get the English text. */
  readonly message: string;
  /** The parameters of the message. */
  readonly params?: readonly string[];
  /** The handler's own texts by language, as those of a `Message`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A button of a confirmation page. */
export interface ConfirmationChoice {
  /** Passed to the handler as `context.choice`. */
  readonly value: string;
  readonly label: Message;
}

/** The texts of the confirmation page before an action that needs a button. */
export interface ActionTokenConfirmation {
  readonly title: Message;
  readonly text: Message;
  /** The effects of the action, in order. */
  readonly items?: readonly Message[];
  /**
   * Buttons that replace the default one. `context.choice` has the value of the pressed button, at most 64 characters.
   */
  readonly choices?: readonly ConfirmationChoice[];
}

/** A page of the realm that reports the result, instead of a response by the handler. */
export interface ActionTokenInfo {
  readonly info: { readonly title: Message; readonly text: Message };
}

/**
 * The required actions and proof that follow an opened link. The plugin needs `manage-users` for `requiredActions`, and
 * for administrators also `manage-admins` and the rights of the user. It needs `issue-login-links` for `provesUser`,
 * and for administrators `manage-admins`. If another plugin has issued the link, that plugin needs these rights, too.
 * Without them the link is refused (400). A link that continues a login needs none of them while the login waits at a
 * step with `proves` of the handler's plugin.
 */
export interface LinkedActions {
  /** Aliases of required actions. If empty, only the login continues. */
  readonly requiredActions: readonly string[];
  /** Target of the last page if the link belongs to no login: a redirect URI of the token's client. */
  readonly redirectUri?: string;
  /**
   * True: in an active login, the link replaces the user's password. A link that a step issued for its own login proves
   * the user to this step alone, which gets it as `followedLink`.
   */
  readonly provesUser?: boolean;
}

/** Keycloak's ActionTokenHandler: checks an action token and performs its action. */
export interface ActionTokenProvider<C = JsonObject> {
  /** Returns false for a single-use token. Default: true, as in Keycloak. */
  reusable?(token: ActionToken<C>): Promise<boolean>;
  /**
   * Returns true, or texts, to show a page with a button before the action, because mail scanners open links. Default:
   * false.
   */
  confirm?(token: ActionToken<C>, context: ActionTokenContext): Promise<boolean | ActionTokenConfirmation>;
  /** Additional checks, before any effect. Returns the first reason to reject the token. */
  verify?(token: ActionToken<C>, context: ActionTokenContext): Promise<Refusal | undefined>;
  /**
   * Asks the user for required actions instead of calling `handle`. If undefined, `handle` is called. A single-use
   * token becomes used with the first completed action. If the user submits no form, the link stays valid.
   */
  requiredActions?(token: ActionToken<C>, context: ActionTokenContext): Promise<LinkedActions | undefined>;
  /** Does the work and returns the answer. Optional if `requiredActions` always returns actions. */
  handle?(token: ActionToken<C>, context: ActionTokenContext): Promise<ResourceResponse | ActionTokenInfo>;
}

/** The types of Keycloak's tokens and action tokens. */
const RESERVED = [
  'reset-credentials',
  'verify-email',
  'execute-actions',
  'idp-verify-account-via-email',
  'update-email',
  'ORGIVT',
  'login-link',
  'Bearer',
  'Refresh',
  'Offline',
  'ID',
  'Logout',
  'Logout-Confirmation',
  'Serialized-ID',
  'DPoP',
  'JWT',
  'at+jwt',
  'InitialAccessToken',
  'RegistrationAccessToken',
];

/**
 * Keycloak's ActionTokenHandler: what happens when an action token's link is followed.
 * @example
 * ```ts
 * import { ActionTokenHandler, provide } from '@keyhost/spi';
 *
 * export default provide(ActionTokenHandler, {
 *   id: 'join-event',
 *   claims: { type: 'object', properties: { event: { type: 'string' } }, required: ['event'] },
 *   eventType: 'EXECUTE_ACTION_TOKEN',
 *   defaultError: 'invalid_request',
 *   defaultMessage: 'invalidRequestMessage',
 *   open: () => ({
 *     create: ({ store }) => ({
 *       confirm: async () => true,
 *       async handle({ claims }, { user }) {
 *         await store.put(`${claims.event} ${user.id}`, true);
 *         return { body: { joined: claims.event } };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const ActionTokenHandler = spi<ActionTokenHandlerDeclaration, ActionTokenProvider>({
  id: 'action-token-handler',
  name: 'ActionTokenHandler',
  carries: 'proof',
  declares: ['describe', 'claims', 'eventType', 'defaultError', 'defaultMessage'],
  describes: DESCRIBES,
  infoName: 'actionTokenHandler',
  reserved: RESERVED,
  methods: { optional: ['handle', 'requiredActions', 'reusable', 'confirm', 'verify'] },
  crosses: [
    undefined,
    {
      data: [
        'user',
        'choice',
        'authenticationSession.id',
        'authenticationSession.client',
        'authenticationSession.joined',
      ],
      live: ['authenticationSession.notes', 'authenticationSession.setNote', 'browserUser'],
    },
  ],
  // An ActionTokenInfo is no response, and is checked by the module that shows it.
  answers: (method, answer) =>
    method === 'handle' && (answer as Partial<ActionTokenInfo> | undefined)?.info === undefined
      ? responseProblem(answer)
      : undefined,
  schemas: ({ claims }) => ({ claims }),
  check(declaration) {
    checkDescribed(declaration);
    const missing = ['eventType', 'defaultError', 'defaultMessage'].filter(
      (name) => typeof declaration[name] !== 'string',
    );
    if (missing.length > 0)
      throw new Error(`${missing.join(', ')} must be ${missing.length > 1 ? 'strings' : 'a string'}`);
  },
});
