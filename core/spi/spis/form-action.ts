import { spi } from '../plugin.js';
import type { ClientView, UserView } from '../views.js';
import type { StepResources } from './authenticator.js';
import { checkDescribed, DESCRIBES, type Described, type Description } from './description.js';
import { stepExample } from './example-of-step.js';
import { flowEntries } from './flow-entries.js';
import { FORM_ACTION_RESULT, FORM_PART, FORM_VALIDATION } from './step-answers.js';
import type { Message, PageField } from './theme.js';

/** The registration, as a form action sees it. */
export interface FormActionContext {
  readonly client: ClientView;
  /** The action's `authenticatorConfig` in the realm file. */
  readonly config: Readonly<Record<string, string>>;
  /**
   * The submitted values of all fields of the form, by name; empty when the page is first shown. The values of a
   * repeated field are joined, one a line. Includes `password` and `password-confirm` only with the right
   * `read-typed-password`.
   */
  readonly form: Readonly<Record<string, string>>;
  /** The `state` that the action returned with the answered page. It is passed once; in `buildPage` it is undefined. */
  readonly state: string | undefined;
  /**
   * The new user: in `success`, after `registration-user-creation` has run. The user is not stored yet, so
   * `session.users` does not find the ID.
   */
  readonly user: UserView | undefined;
  /** The language of the page, a BCP 47 tag. */
  readonly locale: string;
  /** The ID of this login. A link with this ID in `asid` of its action token continues the login. */
  readonly login: string;
}

/** The part of the page that an action adds. */
export interface FormPart {
  /**
   * Fields below those of the actions before it. Their names are unique on the page. A field without `value` shows the
   * value that was submitted before.
   */
  readonly fields?: readonly PageField[];
  /** Files of the plugin's package that the page needs. */
  readonly resources?: StepResources;
  /** Stored with the login until the page is answered. The browser does not see it. */
  readonly state?: string;
}

/** A mistake in a submitted form. */
export interface FormError {
  /**
   * The field below which the message is shown. If absent, or if the page does not have the field, the message is shown
   * above the form.
   */
  readonly field?: string;
  readonly message: Message;
}

/** The result of checking a form. */
export interface FormValidation {
  /** Empty if the action accepts the form. */
  readonly errors: readonly FormError[];
  /**
   * Keycloak's error for the event. Default: `invalid_registration`. If several actions return errors, the event has
   * the first one.
   */
  readonly error?: string;
  /** True: the page hides the errors of other actions (Keycloak's excludeOtherErrors). Default: false. */
  readonly excludeOtherErrors?: boolean;
}

/** Changes to the new user. */
export interface FormActionResult {
  /** User attributes to set; an empty list removes one. Username, email and names are not attributes here. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Aliases of required actions to assign to the user. */
  readonly requiredActions?: readonly string[];
}

/**
 * Keycloak's FormAction: one part of the registration form. If an action throws or exceeds its time limit, the
 * registration fails.
 */
export interface FormActionProvider {
  /** Returns this action's part of the page. Called each time the page is shown. */
  buildPage?(context: FormActionContext): Promise<FormPart>;
  /** Checks the submitted form. All actions are called, in the order of the flow. */
  validate(context: FormActionContext): Promise<FormValidation>;
  /**
   * Called after every action has accepted the form, in the order of the flow. Then the user is stored with the
   * returned changes; if one action throws, no user is stored.
   */
  success?(context: FormActionContext): Promise<FormActionResult>;
}

/** The texts and the requirements of a form action. */
export interface FormActionDescription extends Description {
  /** The requirements that a flow may give to the action. Default: `REQUIRED` and `DISABLED`. */
  readonly requirements?: readonly ('REQUIRED' | 'DISABLED')[];
}

const REQUIREMENTS: readonly unknown[] = ['REQUIRED', 'DISABLED'];

/**
 * A part of the registration form. The flow in `registration-page-form` names it as `authenticator`.
 * @example
 * ```ts
 * import { FormAction, provide } from '@keyhost/spi';
 *
 * const message = { key: 'companyEmail', texts: { en: 'Use your company email address' } };
 *
 * export default provide(FormAction, {
 *   id: 'company-email',
 *   describe: { displayName: 'Company email' },
 *   open: () => ({
 *     create: () => ({
 *       validate: async ({ form: { email = '' } }) => ({
 *         errors: email.endsWith('@example.test') ? [] : [{ field: 'email', message }],
 *       }),
 *     }),
 *   }),
 * });
 * ```
 */
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
    example: (id, settings) => stepExample(id, settings, 'of the form-flow of the registration'),
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
    if (!Array.isArray(requirements) || !requirements.every((requirement) => REQUIREMENTS.includes(requirement))) {
      throw new Error(`describe.requirements must be a list of ${REQUIREMENTS.join(', ')}`);
    }
  },
});
