import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { BrokeredIdentity, ClientView, UserView } from '../views.js';
import { checkHeaders } from './declared-headers.js';
import { checkDescribed, DESCRIBES, type Described, type Description } from './description.js';
import { exampleOfStep } from './example-of-step.js';
import { flowEntries } from './flow-entries.js';
import { AUTHENTICATION_STEP, POLL_ANSWER } from './step-answers.js';
import type { Message, Notice, Page, PageFrame } from './theme.js';

/** The login, as a step sees it. */
export interface AuthenticationContext {
  /** The user, if the login knows one: from an earlier step, or because the user must sign in again. */
  readonly user: UserView | undefined;
  /**
   * True if this login verified, before this step, that it is this user: by an earlier step with `proves`, a mailed link of the
   * host, an identity provider, or the session that it steps up. It says nothing about this step: a step with `proves` succeeds by
   * a proof of its own, and never by this.
   */
  readonly provenBefore: boolean;
  /**
   * The link that this step issued in this login and that the user has followed since. Links of other steps, of other executions of
   * the same step, of other plugins and of other logins never appear here. It is gone once the step has succeeded.
   */
  readonly followedLink: FollowedLink | undefined;
  readonly client: ClientView;
  readonly loginHint: string | undefined;
  /** The name that the user typed in an earlier step. It says nothing about whether a user has this name. */
  readonly typedUsername: string | undefined;
  /** The identity provider that the application names by `kc_idp_hint`. */
  readonly identityProviderHint: string | undefined;
  /** The account at the identity provider: in a first login, and after each login there. */
  readonly brokered: BrokeredIdentity | undefined;
  /** The user who is signed in to the browser, if that login is sufficient for this request. */
  readonly browserUserId: string | undefined;
  /** The step's `authenticatorConfig` in the realm file. */
  readonly config: Readonly<Record<string, string>>;
  /** What steps noted so far. */
  readonly notes: Readonly<Record<string, string>>;
  /** Types of the credentials that steps of this login succeeded by, such as `password`. */
  readonly credentialTypes: readonly string[];
  /** What the step kept with the page that is answered. It comes back once; a second answer to the page is without. */
  readonly state: string | undefined;
  /**
   * In a direct grant the parameters of the token request, never the client's credentials: there are no pages, so that a
   * step succeeds by these or refuses. `password` is among them only with the right `read-typed-password`. Undefined in a browser.
   */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /**
   * The password by which an earlier step of this login has succeeded, only with the right `read-typed-password`, and only in the
   * request in which the user typed it: the host does not keep it. Never hand it on, log it or store it.
   */
  readonly typedPassword: string | undefined;
  /** The name of this login, as an action token carries it in `asid`. Undefined in a direct grant. */
  readonly login: string | undefined;
  /** How the browser comes back after `redirect`. Undefined in a direct grant. */
  readonly returnTo: ReturnAddress | undefined;
  /** The browser's `User-Agent`. Undefined in a direct grant. */
  readonly userAgent: string | undefined;
  /** Of the request the headers that the step declares, by lower-case name. None in a direct grant. */
  readonly headers: Readonly<Record<string, string>>;
  /** The plugin's cookies that the browser has, by the names that the step declares. None in a direct grant. */
  readonly cookies: Readonly<Record<string, string>>;
}

/** A link that a step issued for its login, and that the user has followed. */
export interface FollowedLink {
  /** The user for whom the link was issued. A step that succeeds by the link proves this user. */
  readonly userId: string;
  /**
   * The email address of the user when the link was issued by `session.loginLinks.issue`, in lower case. The user may have another
   * address now: mark an address as verified only if it is still this one. Undefined for a link of a handler of your own.
   */
  readonly email: string | undefined;
}

/** How a browser comes back to the step that sent it elsewhere. */
export interface ReturnAddress {
  /** The same for every login of the realm, so that you can register it as a redirect URI. */
  readonly url: string;
  /**
   * The browser must bring it along as the parameter `state`. It belongs to this login, this step and this browser, and works once:
   * the next call of the step has another one.
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
 * What a page needs of the folder `resources` of the step's package: paths below it. The page's policy allows these files, and no
 * others. A script finds the files beside it by its own address; a theme that renders the page itself runs none.
 */
export interface StepResources {
  /** `.js`, run once the page is there, or `.mjs`, a module. */
  readonly scripts?: readonly string[];
  /** `.css` */
  readonly styles?: readonly string[];
  /** `.js` or `.mjs` that a script starts as a worker, or that a module imports. */
  readonly workers?: readonly string[];
}

export type AuthenticationStep =
  /**
   * The step is done. `userId` says who it is; `typedUsername` is what the user typed, for the pages that follow: name it for
   * unknown names, too, so that no page tells which names exist. `notes` become notes of the session; `credentialType` is the
   * type of the credential that showed it, such as `password` or `otp`, for the flow's `conditional-credential`.
   */
  | {
      readonly outcome: 'success';
      readonly userId?: string;
      readonly typedUsername?: string;
      readonly rememberMe?: boolean;
      readonly notes?: Readonly<Record<string, string>>;
      readonly credentialType?: string;
      /**
       * False if a step with `proves` succeeds without a proof, such as for a user who must first set up a second factor.
       */
      readonly proves?: false;
      /** Aliases of required actions that this login leads through. In a direct grant it is refused for them. */
      readonly requiredActions?: readonly string[];
      /** In a first login at an identity provider: what the user has made of `brokered`. */
      readonly profile?: Readonly<Partial<Record<'username' | 'email' | 'firstName' | 'lastName', string>>>;
      /** Sets cookies that the step declares; null removes one. */
      readonly cookies?: StepCookieValues;
    }
  /** The step does not apply: the flow tries an alternative. */
  | { readonly outcome: 'attempted' }
  /**
   * The page asks the user for something. `error` is Keycloak's event error of an attempt that failed; `message` is one unless it
   * says otherwise. `state` stays with the login, where neither the browser nor another step sees it, until the page is
   * answered. A direct grant cannot show a page: it fails.
   */
  | {
      readonly outcome: 'challenge';
      readonly page: StepPage;
      readonly message?: Message & Partial<Notice>;
      readonly error?: string;
      readonly state?: string;
      /** Who tried, for the event. */
      readonly userId?: string;
      readonly cookies?: StepCookieValues;
      /**
       * The page, a `form`, asks `poll` every so many seconds, 1 to 60, and sends its form once the answer is `ready`. Without
       * scripts the user presses its button.
       */
      readonly poll?: { readonly interval: number };
      readonly resources?: StepResources;
    }
  /**
   * The user signs in at this identity provider of the realm, and comes back with the account there. `loginHint` is sent as
   * `login_hint` if the provider has "Pass login_hint" on; default: the application's own. In a direct grant it is refused.
   */
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /**
   * The browser goes to the address `to`, an absolute URL, and comes back by `returnTo`: then `returned` is asked. `state` stays
   * with the login until then, as that of a `challenge`. In a direct grant it is refused.
   */
  | { readonly outcome: 'redirect'; readonly to: string; readonly state?: string; readonly cookies?: StepCookieValues }
  /**
   * The user is back at the beginning of the login, and reads the message there. What continues this flow is a mailed link. Only in the
   * realm's `resetCredentialsFlow`.
   */
  | { readonly outcome: 'fork'; readonly message: Message }
  /**
   * The login is over. A direct grant is answered `invalid_grant` with the message in English. `userId` says who tried, for the
   * event. With `wwwAuthenticate`, the value of that header, the browser gets the message with the status 401.
   */
  | {
      readonly outcome: 'failure';
      readonly error: string;
      readonly message: Message;
      readonly userId?: string;
      readonly wwwAuthenticate?: string;
    };

/** What a page that waits is told. */
export interface PollAnswer {
  /** True: the page sends its form, and `action` is asked. */
  readonly ready: boolean;
  /** For a script of the step's own: `detail` of the event `keyhost:poll` of its document. At most 4,000 characters of JSON. */
  readonly data?: Json;
}

/** Keycloak's Authenticator: one step of an authentication flow. */
export interface AuthenticatorProvider {
  /** The flow has come to this step. */
  authenticate(context: AuthenticationContext): Promise<AuthenticationStep>;
  /** The user answered the step's page. Of a field that came more than once `form` has all values, one a line. */
  action?(context: AuthenticationContext, form: Readonly<Record<string, string>>): Promise<AuthenticationStep>;
  /**
   * The browser came back from where `redirect` sent it, with these parameters besides `state`, of the address or of a posted form.
   * Anybody can write them into an address: ask the other side whether they are true.
   */
  returned?(context: AuthenticationContext, parameters: Readonly<Record<string, string>>): Promise<AuthenticationStep>;
  /**
   * The page that the step shows asks whether something has happened elsewhere. It changes nothing of the login, and leaves its
   * `state`. Answer at once: the login's form waits for it.
   */
  poll?(context: AuthenticationContext): Promise<PollAnswer>;
  /** True when the user has what the step asks for, such as a second factor. Default: true. */
  configuredFor?(user: UserView): Promise<boolean>;
}

/** An entry of a flow: a step or a condition by its `authenticator`, or a flow within it. */
export interface FlowEntry {
  readonly authenticator?: string | undefined;
  readonly requirement: 'REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED';
  /** Of a flow within it. */
  readonly executions: readonly FlowEntry[];
}

/** The login, as a condition sees it: like a step, and with the result so far. */
export interface ConditionContext extends Omit<AuthenticationContext, 'state' | 'typedPassword' | 'followedLink'> {
  /** The scopes that the application gets. */
  readonly scopes: readonly string[];
  /** The level of authentication that the login has reached, and the one that is asked for. Undefined: none. */
  readonly level: number | undefined;
  readonly wantedLevel: number | undefined;
  /** The flow of the condition, itself included, without the entries' settings. */
  readonly executions: readonly FlowEntry[];
  /** Aliases of the sub-flows that this login has passed. */
  readonly executedFlows: readonly string[];
}

/** Keycloak's ConditionalAuthenticator: decides whether its CONDITIONAL flow runs. */
export interface ConditionProvider {
  /** The flow is gone through when all its conditions are met. */
  isMet(context: ConditionContext): Promise<boolean>;
}

/** How an authenticator is shown, and what it is. */
export interface AuthenticatorDescription extends Description {
  /** `condition`: it has `isMet`, and none of a step's methods. Default: `step`. */
  readonly category?: 'step' | 'condition';
  /**
   * True if the step's success proves the user: a password, a signature, an account elsewhere. A flow signs a user in only if
   * a step with `proves` has succeeded for that very user. Default: false, for a step that finds a user, or asks for something
   * else.
   */
  readonly proves?: boolean;
  /**
   * What it may be in a flow. Default: `REQUIRED`, `ALTERNATIVE` and `DISABLED`; of a condition `REQUIRED` and `DISABLED`. A step
   * that is `CONDITIONAL` is required: it has no conditions.
   */
  readonly requirements?: readonly ('REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED')[];
  /** What users call it where they may choose among steps. Default: the message of its id, else `displayName`. */
  readonly label?: Message;
}

export interface AuthenticatorDeclaration extends Described<AuthenticatorDescription> {
  /** Names of request headers that a step reads, in lower case, at most 10. Never those that carry credentials. */
  readonly headers?: readonly string[];
  /**
   * Cookies that a step keeps in the browser, by name, at most 4. The host seals them for this plugin and this realm: its steps
   * and conditions that declare one of a name share it. `maxAge` is in seconds, at most 400 days.
   */
  readonly cookies?: Readonly<Record<string, { readonly maxAge: number }>>;
  /**
   * The errors by which a `challenge` or `failure` of a step says that what the user gave was wrong, such as
   * `['invalid_user_credentials']`, at most 10. Each counts with the failed logins of its `userId`, default: of the login's user, by the
   * realm's brute-force detection. While the user is locked, the host refuses right and wrong answers alike, with the error
   * `user_temporarily_disabled`. What `session.credentials` or `session.ownCredentials` verified counts once. Default: no error counts.
   */
  readonly countsForBruteForce?: readonly string[];
}

const CATEGORIES: readonly unknown[] = ['step', 'condition'];
const REQUIREMENTS: readonly unknown[] = ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'];

/** A step or a condition of the realm's `authenticationFlows`, which name it as `authenticator`. */
export const Authenticator = spi<AuthenticatorDeclaration, AuthenticatorProvider | ConditionProvider>({
  id: 'authenticator',
  name: 'Authenticator',
  // A second factor is proof, too. A condition only chooses among the steps of a flow.
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
    example: (id, settings) => exampleOfStep(id, settings, 'of a flow'),
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
    if (!Array.isArray(requirements) || !requirements.every((one) => REQUIREMENTS.includes(one))) {
      throw new Error(`describe.requirements must be a list of ${REQUIREMENTS.join(', ')}`);
    }
    checkCounted(declaration, category);
    if (label !== undefined && typeof (label as Partial<Message> | null)?.key !== 'string') {
      throw new Error('describe.label must be a message: { key, texts }');
    }
  },
});

const [MOST_COOKIES, MOST_COUNTED] = [4, 10];
/** Seconds. Browsers keep no cookie for longer. */
const LONGEST_AGE = 400 * 24 * 60 * 60;

function checkCounted(
  { countsForBruteForce: errors = [] }: Readonly<Record<string, unknown>>,
  category: unknown,
): void {
  const isErrors =
    Array.isArray(errors) && errors.every((one) => typeof one === 'string' && /^[a-z0-9_]{1,64}$/.test(one));
  if (!isErrors || errors.length > MOST_COUNTED) {
    throw new Error(`countsForBruteForce must be at most ${MOST_COUNTED} errors such as invalid_user_credentials`);
  }
  if (errors.length > 0 && category === 'condition') throw new Error('a condition must not set countsForBruteForce');
}

function checkBrowserParts({ headers = [], cookies = {} }: Readonly<Record<string, unknown>>): void {
  checkHeaders(headers);
  const pairs = Object.entries((cookies ?? {}) as Readonly<Record<string, { readonly maxAge?: unknown } | null>>);
  if (pairs.length > MOST_COOKIES) throw new Error(`cookies must be at most ${MOST_COOKIES}`);
  for (const [name, cookie] of pairs) {
    if (!/^[A-Za-z0-9-]{1,32}$/.test(name)) throw new Error(`cookies.${name}: a name is letters, digits and -`);
    const maxAge = Number.isInteger(cookie?.maxAge) ? Number(cookie?.maxAge) : 0;
    if (maxAge < 1 || maxAge > LONGEST_AGE)
      throw new Error(`cookies.${name}.maxAge must be a whole number of seconds from 1 to ${LONGEST_AGE}`);
  }
}
