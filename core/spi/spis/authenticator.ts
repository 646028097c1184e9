import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { BrokeredIdentity, ClientView, UserView } from '../views.js';
import { checkHeaders } from './declared-headers.js';
import { checkDescribed, DESCRIBES, type Described, type Description } from './description.js';
import { stepExample } from './example-of-step.js';
import { flowEntries } from './flow-entries.js';
import { AUTHENTICATION_STEP, POLL_ANSWER } from './step-answers.js';
import type { Message, Notice, Page, PageFrame } from './theme.js';

/** The login, as a step sees it. */
export interface AuthenticationContext {
  /** The user, if the login has identified one: in an earlier step, or because the user must sign in again. */
  readonly user: UserView | undefined;
  /**
   * True if an earlier part of this login has verified the user. That is a step with `proves`, a mailed link of the
   * host, an identity provider, or the session that is stepped up. A step with `proves` must still verify a proof
   * itself.
   */
  readonly provenBefore: boolean;
  /**
   * The link that this step issued in this login and that the user has followed since. Links of other steps,
   * executions, plugins and logins never appear here. Undefined again once the step has succeeded.
   */
  readonly followedLink: FollowedLink | undefined;
  /** The client that the user signs in to. */
  readonly client: ClientView;
  /** The `login_hint` of the authorization request. */
  readonly loginHint: string | undefined;
  /** The name that the user typed in an earlier step. A user with this name may not exist. */
  readonly typedUsername: string | undefined;
  /** The identity provider that the application names by `kc_idp_hint`. */
  readonly identityProviderHint: string | undefined;
  /** The account at the identity provider: in a first login, and after each login there. */
  readonly brokered: BrokeredIdentity | undefined;
  /** The user who is signed in to the browser, if that login is sufficient for this request. */
  readonly browserUserId: string | undefined;
  /** The step's `authenticatorConfig` in the realm file. */
  readonly config: Readonly<Record<string, string>>;
  /** The notes that the steps of this login have set up to now. */
  readonly notes: Readonly<Record<string, string>>;
  /** Types of the credentials that steps of this login succeeded by, such as `password`. */
  readonly credentialTypes: readonly string[];
  /**
   * The `state` that the step returned with the answered page. It is passed once: a second answer to the same page has
   * none.
   */
  readonly state: string | undefined;
  /**
   * The parameters of the token request, in a direct grant; undefined in a browser. The client's credentials are left
   * out. A direct grant has no pages, so the step succeeds by these parameters or fails. `password` is included only
   * with the right `read-typed-password`.
   */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /**
   * The password by which an earlier step of this login has succeeded. Present only with the right
   * `read-typed-password`, and only in the request in which the user typed it: the host does not store it. Never pass
   * it on, log it or store it.
   */
  readonly typedPassword: string | undefined;
  /**
   * The ID of this login. A link with this ID in `asid` of its action token continues the login. Undefined in a direct
   * grant.
   */
  readonly login: string | undefined;
  /** The address to which the browser returns after `redirect`. Undefined in a direct grant. */
  readonly returnTo: ReturnAddress | undefined;
  /** The browser's `User-Agent`. Undefined in a direct grant. */
  readonly userAgent: string | undefined;
  /** The request headers that the step declares, by lower-case name. Empty in a direct grant. */
  readonly headers: Readonly<Record<string, string>>;
  /** The plugin's cookies that the browser sent, by the names that the step declares. Empty in a direct grant. */
  readonly cookies: Readonly<Record<string, string>>;
}

/** A link that a step issued for its login, and that the user has followed. */
export interface FollowedLink {
  /** The user for whom the link was issued. A step that succeeds by the link proves this user. */
  readonly userId: string;
  /**
   * The user's email address at the time when `session.loginLinks.issue` issued the link, in lower case. The user may
   * have another address now: mark an address as verified only if it is still this one. Undefined for a link of the
   * plugin's own handler.
   */
  readonly email: string | undefined;
}

/** How a browser returns to the step that redirected it to another site. */
export interface ReturnAddress {
  /** The same URL for every login of the realm, so that you can register it as a redirect URI. */
  readonly url: string;
  /**
   * The other site must return this as the parameter `state`. It belongs to this login, step and browser, and works
   * once: the next call of the step gets another value.
   */
  readonly state: string;
}

type WithoutFrame<P> = P extends unknown
  ? Omit<
      P,
      | keyof PageFrame
      | 'action'
      | 'poll'
      | 'resetUrl'
      | 'restartUrl'
      | 'registrationUrl'
      | 'identityProviders'
      | 'otherWays'
    >
  : never;

/** A page of a step: the host adds realm, language, client and addresses. */
export type StepPage = WithoutFrame<Extract<Page, { page: 'login' | 'form' }>>;

/** Values of cookies by their names, at most 1,000 characters each. */
export type StepCookieValues = Readonly<Record<string, string | null>>;

/**
 * The files that a page needs, as paths below the folder `resources` of the step's package. The page's content security
 * policy allows only these. A script can load files next to it by its own URL. A theme that renders the page itself
 * runs no scripts.
 */
export interface StepResources {
  /** `.js`, run once the page is loaded, or `.mjs`, a module. */
  readonly scripts?: readonly string[];
  /** `.css` */
  readonly styles?: readonly string[];
  /** `.js` or `.mjs` that a script starts as a worker, or that a module imports. */
  readonly workers?: readonly string[];
}

/** The result of a step. */
export type AuthenticationStep =
  /**
   * The step is done. The user is identified by `userId`. The name that the user typed is `typedUsername`, for later
   * pages: return it for unknown names, too, so that no page reveals which names exist. The `notes` become notes of the
   * session. The type of the verified credential, such as `password` or `otp`, is `credentialType`, for the flow's
   * `conditional-credential`.
   */
  | {
      readonly outcome: 'success';
      readonly userId?: string;
      readonly typedUsername?: string;
      readonly rememberMe?: boolean;
      readonly notes?: Readonly<Record<string, string>>;
      readonly credentialType?: string;
      /**
       * False if a step with `proves` succeeds without a proof, for example because the user must first set up a second
       * factor.
       */
      readonly proves?: false;
      /**
       * Aliases of required actions that the user must complete in this login. A direct grant fails because of them.
       */
      readonly requiredActions?: readonly string[];
      /** In a first login at an identity provider: the user's corrections of `brokered`. */
      readonly profile?: Readonly<Partial<Record<'username' | 'email' | 'firstName' | 'lastName', string>>>;
      /** Sets cookies that the step declares; null removes one. */
      readonly cookies?: StepCookieValues;
    }
  /** The step does not apply, and the flow tries an alternative. */
  | { readonly outcome: 'attempted' }
  /**
   * The page asks the user for something. Keycloak's event error for a failed attempt is `error`. The type of the
   * refused credential is `credentialType`, for the event; leave it out for a password. The `message` is shown as an
   * error unless it has another `severity`. The `state` is stored with the login until the page is answered; neither
   * the browser nor other steps see it. A direct grant fails, since it cannot show a page.
   */
  | {
      readonly outcome: 'challenge';
      readonly page: StepPage;
      readonly message?: Message & Partial<Notice>;
      readonly error?: string;
      readonly credentialType?: string;
      readonly state?: string;
      /** The user of the failed attempt, for the event. */
      readonly userId?: string;
      readonly cookies?: StepCookieValues;
      /**
       * The page, a `form`, calls `poll` every `interval` seconds (1 to 60) and submits its form once the answer is
       * `ready`. Without scripts the user presses the form's button.
       */
      readonly poll?: { readonly interval: number };
      readonly resources?: StepResources;
    }
  /**
   * The user signs in at this identity provider of the realm and returns with the identity from there. `loginHint` is
   * sent as `login_hint` if the provider has "Pass login_hint" on; default: the application's own. A direct grant
   * fails.
   */
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /**
   * The browser is redirected to `to`, an absolute URL, and returns by `returnTo`: then `returned` is called. `state`
   * is stored with the login until then, as with a `challenge`. A direct grant fails.
   */
  | { readonly outcome: 'redirect'; readonly to: string; readonly state?: string; readonly cookies?: StepCookieValues }
  /**
   * The user returns to the start of the login, which shows the message. A mailed link continues this flow. Only in the
   * realm's `resetCredentialsFlow`.
   */
  | { readonly outcome: 'fork'; readonly message: Message }
  /**
   * The login fails. The response to a direct grant is `invalid_grant` with the message in English. The user who tried
   * is `userId`, and the type of the refused credential is `credentialType`; both are for the event. The value of the
   * header `WWW-Authenticate` is `wwwAuthenticate`: with it, the browser gets the message with the status 401.
   */
  | {
      readonly outcome: 'failure';
      readonly error: string;
      readonly message: Message;
      readonly userId?: string;
      readonly credentialType?: string;
      readonly wwwAuthenticate?: string;
    };

/** The answer to a page that polls. */
export interface PollAnswer {
  /** True: the page submits its form, and `action` is called. */
  readonly ready: boolean;
  /**
   * Data for a script of the step: `detail` of the event `keyhost:poll` on its document. At most 4,000 characters of
   * JSON.
   */
  readonly data?: Json;
}

/** Keycloak's Authenticator: one step of an authentication flow. */
export interface AuthenticatorProvider {
  /** Called when the flow reaches this step. */
  authenticate(context: AuthenticationContext): Promise<AuthenticationStep>;
  /** Called when the user answers the step's page. In `form`, the values of a repeated field are joined, one a line. */
  action?(context: AuthenticationContext, form: Readonly<Record<string, string>>): Promise<AuthenticationStep>;
  /**
   * Called when the browser returns from a `redirect`, with the parameters of the URL or of the posted form, except
   * `state`. Anyone can put parameters into a URL: verify them with the other site.
   */
  returned?(context: AuthenticationContext, parameters: Readonly<Record<string, string>>): Promise<AuthenticationStep>;
  /**
   * Called by a waiting page of the step to ask if something has happened meanwhile. It does not change the login, and
   * its `state` stays. Answer at once: the login's form waits for it.
   */
  poll?(context: AuthenticationContext): Promise<PollAnswer>;
  /** Returns true if the user has the credential that the step requires, such as a second factor. Default: true. */
  configuredFor?(user: UserView): Promise<boolean>;
}

/** An entry of a flow: a step or a condition by its `authenticator`, or a flow within it. */
export interface FlowEntry {
  readonly authenticator?: string | undefined;
  readonly requirement: 'REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED';
  /** The entries of a subflow. */
  readonly executions: readonly FlowEntry[];
}

/** The login, as a condition sees it: like a step, with the current result. */
export interface ConditionContext extends Omit<AuthenticationContext, 'state' | 'typedPassword' | 'followedLink'> {
  /** Names of the client scopes that the application gets. */
  readonly scopes: readonly string[];
  /** The level of authentication that the login has reached, and the requested level. Undefined if there is none. */
  readonly level: number | undefined;
  readonly wantedLevel: number | undefined;
  /** The flow of the condition, itself included, without the entries' settings. */
  readonly executions: readonly FlowEntry[];
  /** Aliases of the sub-flows that this login has passed. */
  readonly executedFlows: readonly string[];
}

/** Keycloak's ConditionalAuthenticator: decides whether its CONDITIONAL flow runs. */
export interface ConditionProvider {
  /** The flow runs if all its conditions are met. */
  isMet(context: ConditionContext): Promise<boolean>;
}

/** The description of an authenticator: its texts, its category and its requirements. */
export interface AuthenticatorDescription extends Description {
  /** A `condition` has `isMet`, and none of a step's methods. Default: `step`. */
  readonly category?: 'step' | 'condition';
  /**
   * True if the step's success proves the identity of the user, as a password, a signature or an identity provider
   * does. A flow signs a user in only if a step with `proves` has succeeded for that very user. Default: false, for a
   * step that finds a user or asks for something else.
   */
  readonly proves?: boolean;
  /**
   * The requirements that a flow may give to the step or condition. Default: `REQUIRED`, `ALTERNATIVE` and `DISABLED`;
   * for a condition `REQUIRED` and `DISABLED`. A `CONDITIONAL` step counts as required, because it has no conditions.
   */
  readonly requirements?: readonly ('REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED')[];
  /**
   * The name that users see when they choose among steps. Default: the message with the provider's ID as its key, or
   * else `displayName`.
   */
  readonly label?: Message;
}

/** The declaration of an authenticator (Keycloak's AuthenticatorFactory). */
export interface AuthenticatorDeclaration extends Described<AuthenticatorDescription> {
  /**
   * Names of request headers that a step reads, in lower case, at most 10. Headers that carry credentials are not
   * allowed.
   */
  readonly headers?: readonly string[];
  /**
   * Cookies that a step sets in the browser, by name, at most 4. The host encrypts them for this plugin and realm.
   * Steps and conditions of the plugin that declare the same name share the cookie. `maxAge` is in seconds, and at most
   * 400 days.
   */
  readonly cookies?: Readonly<Record<string, { readonly maxAge: number }>>;
  /**
   * The errors of a `challenge` or `failure` by which the step reports a wrong credential, such as
   * `['invalid_user_credentials']`, at most 10. Each counts as a failed login of its `userId` (default: the login's
   * user) for the realm's brute-force detection. While the user is locked, the host refuses right and wrong answers
   * alike, with the error `user_temporarily_disabled`. A credential that `session.credentials` or
   * `session.ownCredentials` verified is counted only once. Default: no error counts.
   */
  readonly countsForBruteForce?: readonly string[];
}

const CATEGORIES: readonly unknown[] = ['step', 'condition'];
const REQUIREMENTS: readonly unknown[] = ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'];

/**
 * A step or a condition of the realm's `authenticationFlows`, whose entries name it as `authenticator`.
 * @example
 * ```ts
 * import { Authenticator, provide, type StepPage } from '@keyhost/spi';
 *
 * const page: StepPage = {
 *   page: 'form',
 *   title: { key: 'ageTitle', texts: { en: 'Your age' } },
 *   fields: [{ name: 'age', type: 'number', label: { key: 'ageLabel', texts: { en: 'Age' } }, required: true }],
 *   submit: { key: 'doContinue' },
 * };
 *
 * export default provide(Authenticator, {
 *   id: 'age-check',
 *   describe: { displayName: 'Age check' },
 *   open: () => ({
 *     create: () => ({
 *       authenticate: async () => ({ outcome: 'challenge', page }),
 *       action: async (_, { age }) => (Number(age) >= 18 ? { outcome: 'success' } : { outcome: 'challenge', page }),
 *     }),
 *   }),
 * });
 * ```
 */
export const Authenticator = spi<AuthenticatorDeclaration, AuthenticatorProvider | ConditionProvider>({
  id: 'authenticator',
  name: 'Authenticator',
  // Steps establish who a user is, and so does a second factor. A condition only chooses among the steps of a flow.
  carries: ({ describe }) =>
    (describe as AuthenticatorDescription | undefined)?.category === 'condition' ? 'nothing' : 'proof',
  declares: ['describe', 'settings', 'headers', 'cookies', 'countsForBruteForce'],
  describes: [...DESCRIBES, 'category', 'proves', 'requirements', 'label'],
  schemas: ({ settings }) => ({ settings }),
  answers: {
    isMet: { type: 'boolean' },
    configuredFor: { type: 'boolean' },
    authenticate: AUTHENTICATION_STEP,
    action: AUTHENTICATION_STEP,
    returned: AUTHENTICATION_STEP,
    poll: POLL_ANSWER,
  },
  realm: {
    key: 'authenticationFlows',
    mentions: (realm) => flowEntries(realm, 'step'),
    example: (id, settings) => stepExample(id, settings, 'of a flow'),
  },
  methods: ({ describe }) =>
    (describe as AuthenticatorDescription | undefined)?.category === 'condition'
      ? { required: ['isMet'] }
      : {
          required: ['authenticate'],
          optional: ['action', 'returned', 'poll', 'configuredFor'],
          instead: {
            action: (provider: AuthenticatorProvider, context: AuthenticationContext) => provider.authenticate(context),
            configuredFor: async () => true,
          },
        },
  check(declaration) {
    checkDescribed(declaration);
    checkBrowserParts(declaration);
    const {
      category = 'step',
      proves = false,
      requirements = [],
      label,
    } = (declaration.describe ?? {}) as Record<string, unknown>;
    if (!CATEGORIES.includes(category)) throw new Error(`describe.category must be one of ${CATEGORIES.join(', ')}`);
    if (typeof proves !== 'boolean' || (proves && category === 'condition')) {
      throw new Error('describe.proves must be true or false, and a condition must not set it');
    }
    if (!Array.isArray(requirements) || !requirements.every((requirement) => REQUIREMENTS.includes(requirement))) {
      throw new Error(`describe.requirements must be a list of ${REQUIREMENTS.join(', ')}`);
    }
    checkCountedErrors(declaration, category);
    if (label !== undefined && typeof (label as Partial<Message> | null)?.key !== 'string') {
      throw new Error('describe.label must be a message: { key, texts }');
    }
  },
});

const MAX_COOKIES = 4;
const MAX_COUNTED_ERRORS = 10;
/** In seconds. Browsers do not store cookies for longer. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

function checkCountedErrors(
  { countsForBruteForce: errors = [] }: Readonly<Record<string, unknown>>,
  category: unknown,
): void {
  const areErrorCodes =
    Array.isArray(errors) && errors.every((one) => typeof one === 'string' && /^[a-z0-9_]{1,64}$/.test(one));
  if (!areErrorCodes || errors.length > MAX_COUNTED_ERRORS) {
    throw new Error(
      `countsForBruteForce must be at most ${MAX_COUNTED_ERRORS} errors such as invalid_user_credentials`,
    );
  }
  if (errors.length > 0 && category === 'condition') throw new Error('a condition must not set countsForBruteForce');
}

function checkBrowserParts({ headers = [], cookies = {} }: Readonly<Record<string, unknown>>): void {
  checkHeaders(headers);
  const pairs = Object.entries((cookies ?? {}) as Readonly<Record<string, { readonly maxAge?: unknown } | null>>);
  if (pairs.length > MAX_COOKIES) throw new Error(`cookies must be at most ${MAX_COOKIES}`);
  for (const [name, cookie] of pairs) {
    if (!/^[A-Za-z0-9-]{1,32}$/.test(name)) throw new Error(`cookies.${name}: a name is letters, digits and -`);
    const maxAge = Number.isInteger(cookie?.maxAge) ? Number(cookie?.maxAge) : 0;
    if (maxAge < 1 || maxAge > MAX_AGE_SECONDS)
      throw new Error(`cookies.${name}.maxAge must be a whole number of seconds from 1 to ${MAX_AGE_SECONDS}`);
  }
}
