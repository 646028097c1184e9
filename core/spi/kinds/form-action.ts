import { spi } from '../plugin.js';
import type { ClientView, UserView } from '../views.js';
import type { StepResources } from './authenticator.js';
import { checkDescribed, DESCRIBES, type Described, type Description } from './description.js';
import { exampleOfStep } from './example-of-step.js';
import { flowEntries } from './flow-entries.js';
import { FORM_ACTION_RESULT, FORM_PART, FORM_VALIDATION } from './step-answers.js';
import type { Message, PageField } from './theme.js';

/** The registration, as a form action sees it. */
export interface FormActionContext {
  readonly client: ClientView;
  /** The action's `authenticatorConfig` in the realm file. */
  readonly config: Readonly<Record<string, string>>;
  /**
   * What the person filled in, by the names of the fields of the whole form; empty when the page is shown first. Of a field that
   * came more than once it has all values, one a line. `password` and `password-confirm` are among them only with the right
   * `read-typed-password`.
   */
  readonly form: Readonly<Record<string, string>>;
  /** What the action kept with the page that is answered. It comes back once; `buildPage` has none. */
  readonly state: string | undefined;
  /**
   * In `success` the new user, once `registration-user-creation` has had its turn. The user is not stored yet: `session.users` does
   * not know the ID.
   */
  readonly user: UserView | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** The name of this login, as an action token carries it in `asid`. */
  readonly login: string;
}

/** What an action adds to the page. */
export interface FormPart {
  /**
   * Fields below those of the actions before it. Each has a name that no other field of the page has. A field without `value` shows
   * what the person filled in before.
   */
  readonly fields?: readonly PageField[];
  /** Files of the plugin's package that the page needs. */
  readonly resources?: StepResources;
  /** Stays with the login, where the browser does not see it, until the page is answered. */
  readonly state?: string;
}

/** One thing that is wrong with a form. */
export interface FormError {
  /** The field that it is said below. Default, and if the page does not have the field: above the form. */
  readonly field?: string;
  readonly message: Message;
}

export interface FormValidation {
  /** Empty: the action has nothing against the form. */
  readonly errors: readonly FormError[];
  /** Keycloak's error of the event. Default: `invalid_registration`. Of several actions, the first one's is told. */
  readonly error?: string;
  /** True: the page tells nothing of what other actions found (Keycloak's excludeOtherErrors). Default: false. */
  readonly excludeOtherErrors?: boolean;
}

/** What becomes of the new user. */
export interface FormActionResult {
  /** Attributes of the user that get these values; an empty list removes one. Username, email and names are none. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Aliases of required actions that the user gets. */
  readonly requiredActions?: readonly string[];
}

/** Keycloak's FormAction: one part of the registration form. Nobody registers by a form whose action throws or is late. */
export interface FormActionProvider {
  /** What the page shows for this action. It is asked each time that the page is shown. */
  buildPage?(context: FormActionContext): Promise<FormPart>;
  /** What is wrong with the form that was sent. Every action is asked, in the order of the flow. */
  validate(context: FormActionContext): Promise<FormValidation>;
  /**
   * No action had anything against the form. They are asked in the order of the flow, and then the user is stored with what they
   * answered: if one throws, nobody is.
   */
  success?(context: FormActionContext): Promise<FormActionResult>;
}

export interface FormActionDescription extends Description {
  /** What it may be in a flow. Default: `REQUIRED` and `DISABLED`. */
  readonly requirements?: readonly ('REQUIRED' | 'DISABLED')[];
}

const REQUIREMENTS: readonly unknown[] = ['REQUIRED', 'DISABLED'];

/** A part of the registration form. The flow in `registration-page-form` names it as `authenticator`. */
export const FormAction = spi<Described<FormActionDescription>, FormActionProvider>({
  id: 'form-action',
  name: 'FormAction',
  // It may read the password that is typed into the form.
  carries: 'credentials',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'authenticationFlows',
    mentions: (realm) => flowEntries(realm, 'form'),
    example: (id, settings) => exampleOfStep(id, settings, 'of the form-flow of the registration'),
  },
  methods: {
    required: ['validate'],
    optional: ['buildPage', 'success'],
    instead: { buildPage: async () => ({}), success: async () => ({}) },
  },
  crosses: [{ maps: ['form'] }],
  answers: { buildPage: FORM_PART, validate: FORM_VALIDATION, success: FORM_ACTION_RESULT },
  check(declaration) {
    checkDescribed(declaration);
    const { requirements = [] } = (declaration.describe ?? {}) as Readonly<Record<string, unknown>>;
    if (!Array.isArray(requirements) || !requirements.every((one) => REQUIREMENTS.includes(one))) {
      throw new Error(`describe.requirements must be a list of ${REQUIREMENTS.join(', ')}`);
    }
  },
});
