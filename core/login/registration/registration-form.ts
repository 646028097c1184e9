import type {
  AuthenticationContext,
  FormActionContext,
  FormActionResult,
  FormPart,
  FormValidation,
  Message,
  PageField,
} from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { isRootAttribute, setAttribute } from '../../users/profile/attribute-values.js';
import { fileProblem, mergeFiles, type StepFiles, stepFiles } from '../flows/step-files.js';
import { CallableFormAction, type FormExecution, type RegistrationFault } from './callable-form-action.js';
import { PASSWORD_FIELDS } from './form-actions/password.js';
import { type Form, type HostFormActionResult, type NewUser, viewOf } from './new-user.js';

/** Field names that plugins must not use: hidden parameters of the page, and the host's own fields. */
const RESERVED_FIELDS: readonly string[] = ['cancel-aia', 'authenticationExecution', ...PASSWORD_FIELDS];

/** The parts of the page. */
export interface BuiltForm {
  readonly fields: readonly PageField[];
  readonly files: StepFiles | undefined;
  /** State that the actions store with the page, as JSON; undefined if there is none. */
  readonly state: string | undefined;
  /** Set if a part of the page is missing, so that the page cannot be answered. */
  readonly fault: RegistrationFault | undefined;
}

/** The errors of a form. */
export interface FormErrors {
  readonly error: string;
  /** The messages by field name. */
  readonly problems: Readonly<Record<string, Message>>;
  /** Shown above the form. */
  readonly message?: Message;
}

/** The data that is stored with the login while the page is pending. */
interface StoredState {
  /** The actions' states by execution. */
  readonly states: Readonly<Record<string, string>>;
  readonly whole: boolean;
}

/** Keycloak's FormAuthenticationFlow: calls the actions of a registration form in their order. */
export class RegistrationForm {
  readonly #context: AuthenticationContext;
  readonly #actions: readonly CallableFormAction[];
  readonly #storedState: StoredState;

  constructor(session: HostSession, context: AuthenticationContext, actions: readonly FormExecution[]) {
    this.#context = context;
    this.#actions = actions.map((execution) => new CallableFormAction(session, execution));
    this.#storedState =
      context.state === undefined ? { states: {}, whole: true } : (JSON.parse(context.state) as StoredState);
  }

  /** False if the page that was answered lacked a part. */
  get isComplete(): boolean {
    return this.#storedState.whole;
  }

  /** Builds the page from the parts of all actions. */
  async build(form: Form): Promise<BuiltForm> {
    const parts: { readonly action: CallableFormAction; readonly part: FormPart }[] = [];
    const faults: RegistrationFault[] = [];
    for (const action of this.#actions) {
      const result = await action.call<FormPart>('buildPage', this.#contextFor(form), {});
      if ('fault' in result) faults.push(result.fault);
      else parts.push({ action, part: result.answer });
    }
    const builtInFields = parts
      .filter(({ action }) => action.registered.plugin.builtin)
      .flatMap(({ part }) => part.fields ?? []);
    const takenNames = new Set([...RESERVED_FIELDS, ...builtInFields.map(({ name }) => name)]);
    const validParts = parts.filter(({ action, part }) => {
      const problem = action.registered.plugin.builtin ? undefined : partProblem(action, part, takenNames);
      if (problem !== undefined) faults.push(action.toFault('buildPage', problem));
      return problem === undefined;
    });
    const states = validParts.flatMap(({ action, part: { state } }) =>
      state === undefined ? [] : [[action.execution.id, state] as const],
    );
    const newState: StoredState = { states: Object.fromEntries(states), whole: faults.length === 0 };
    return {
      fields: validParts.flatMap(({ part }) => part.fields ?? []).map((field) => withEnteredValue(field, form)),
      files: mergeFiles(validParts.map(({ action, part }) => stepFiles(action, part))),
      state: states.length === 0 && newState.whole ? undefined : JSON.stringify(newState),
      fault: faults[0],
    };
  }

  /** Validates the form with all actions. Undefined if there are no errors. */
  async validate(form: Form): Promise<FormErrors | undefined> {
    const failures: FormValidation[] = [];
    for (const action of this.#actions) {
      const result = await action.call<FormValidation>('validate', this.#contextFor(form, action));
      if ('fault' in result) return faultErrors(result.fault);
      if (result.answer.errors.length > 0) failures.push(result.answer);
    }
    const [first] = failures;
    if (first === undefined) return undefined;
    const exclusive = failures.find(({ excludeOtherErrors }) => excludeOtherErrors === true);
    // A plugin may choose any name for a field, such as `__proto__`.
    const problems: Record<string, Message> = Object.create(null);
    const formMessages: Message[] = [];
    for (const { field, message } of (exclusive === undefined ? failures : [exclusive]).flatMap(
      ({ errors }) => errors,
    )) {
      if (field === undefined) formMessages.push(message);
      else if (!Object.hasOwn(problems, field)) problems[field] = message;
    }
    const [message] = formMessages;
    return { error: first.error ?? 'invalid_registration', problems, ...(message && { message }) };
  }

  /**
   * Calls the actions to complete the new user.
   * @returns the reason why the user cannot be stored; undefined if it can
   */
  async completeUser(form: Form, draft: NewUser): Promise<FormErrors | undefined> {
    for (const action of this.#actions) {
      const user = draft.username === '' ? undefined : viewOf(draft);
      const result = await action.call<HostFormActionResult>(
        'success',
        { ...this.#contextFor(form, action), user },
        {},
      );
      if ('fault' in result) return faultErrors(result.fault);
      const problem = action.registered.plugin.builtin ? undefined : resultProblem(result.answer);
      if (problem !== undefined) return faultErrors(action.toFault('success', action.shapeError(problem)));
      applyResult(result.answer, draft);
    }
    return undefined;
  }

  #contextFor(form: Form, action?: CallableFormAction): FormActionContext {
    const { client, locale, login = '' } = this.#context;
    const state = action && this.#storedState.states[action.execution.id];
    return { client, locale, login, form, config: {}, user: undefined, state };
  }
}

function faultErrors({ error, message }: RegistrationFault): FormErrors {
  return { error, message, problems: {} };
}

/** Describes what is wrong with an action's part of the page, and adds its field names to `takenNames`. */
function partProblem(action: CallableFormAction, part: FormPart, takenNames: Set<string>): Error | undefined {
  const file = fileProblem(action, part);
  if (file !== undefined) return action.shapeError(file);
  for (const { name } of part.fields ?? []) {
    if (takenNames.has(name)) return action.shapeError(`named a field "${name}", which the page has already`);
    takenNames.add(name);
  }
  return undefined;
}

function resultProblem({ attributes = {} }: FormActionResult): string | undefined {
  const name = Object.keys(attributes).find(isRootAttribute);
  return name && `answered success with the attribute "${name}", which is the profile's`;
}

/** A plugin's field with the value that was entered before, unless the plugin sets one. */
function withEnteredValue(field: PageField, form: Form): PageField {
  const { name, type, value } = field;
  if (value !== undefined || type === 'password' || !Object.hasOwn(form, name)) return field;
  return { ...field, value: form[name] ?? '' };
}

function applyResult({ attributes = {}, requiredActions = [], change }: HostFormActionResult, draft: NewUser): void {
  change?.(draft);
  for (const [name, values] of Object.entries(attributes)) setAttribute(draft, name, values);
  draft.requiredActions = [...new Set([...(draft.requiredActions ?? []), ...requiredActions])];
}
