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
import { FormActionCall, type FormExecution, type RegistrationFault } from './form-action-call.js';
import { PASSWORD_FIELDS } from './form-actions/password.js';
import { type Form, type HostFormActionResult, type NewUser, viewOf } from './new-user.js';

/** Names of the page's hidden parameters and of the host's own fields, which plugins may not use. */
const RESERVED: readonly string[] = ['cancel-aia', 'authenticationExecution', ...PASSWORD_FIELDS];

/** The parts of the page. */
export interface BuiltForm {
  readonly fields: readonly PageField[];
  readonly files: StepFiles | undefined;
  /** State that the actions store with the page, as JSON; undefined if there is none. */
  readonly state: string | undefined;
  /** A part of the page is missing, so it cannot be answered. */
  readonly fault: RegistrationFault | undefined;
}

/** The errors of a form. */
export interface FormErrors {
  readonly error: string;
  /** By the name of the field. */
  readonly problems: Readonly<Record<string, Message>>;
  /** Shown above the form. */
  readonly message?: Message;
}

/** The data stored with the login while the page is pending. */
interface Kept {
  /** By the action's execution. */
  readonly states: Readonly<Record<string, string>>;
  readonly whole: boolean;
}

/** Keycloak's FormAuthenticationFlow: calls the actions of a registration form in their order. */
export class RegistrationForm {
  readonly #context: AuthenticationContext;
  readonly #calls: readonly FormActionCall[];
  readonly #kept: Kept;

  constructor(session: HostSession, context: AuthenticationContext, actions: readonly FormExecution[]) {
    this.#context = context;
    this.#calls = actions.map((execution) => new FormActionCall(session, execution));
    this.#kept = context.state === undefined ? { states: {}, whole: true } : (JSON.parse(context.state) as Kept);
  }

  /** False if the answered page lacked a part. */
  get isWhole(): boolean {
    return this.#kept.whole;
  }

  /** Collects every action's part of the page. */
  async build(form: Form): Promise<BuiltForm> {
    const parts: { readonly call: FormActionCall; readonly part: FormPart }[] = [];
    const faults: RegistrationFault[] = [];
    for (const call of this.#calls) {
      const asked = await call.ask<FormPart>('buildPage', this.#seen(form), {});
      if ('fault' in asked) faults.push(asked.fault);
      else parts.push({ call, part: asked.answer });
    }
    const own = parts.filter(({ call }) => call.registered.plugin.builtin).flatMap(({ part }) => part.fields ?? []);
    const taken = new Set([...RESERVED, ...own.map(({ name }) => name)]);
    const good = parts.filter(({ call, part }) => {
      const wrong = call.registered.plugin.builtin ? undefined : wrongPart(call, part, taken);
      if (wrong !== undefined) faults.push(call.fault('buildPage', wrong));
      return wrong === undefined;
    });
    const states = good.flatMap(({ call, part: { state } }) =>
      state === undefined ? [] : [[call.execution.id, state] as const],
    );
    const kept: Kept = { states: Object.fromEntries(states), whole: faults.length === 0 };
    return {
      fields: good.flatMap(({ part }) => part.fields ?? []).map((field) => refilled(field, form)),
      files: mergeFiles(good.map(({ call, part }) => stepFiles(call, part))),
      state: states.length === 0 && kept.whole ? undefined : JSON.stringify(kept),
      fault: faults[0],
    };
  }

  /** The actions' errors in the form; undefined if there are none. */
  async validate(form: Form): Promise<FormErrors | undefined> {
    const found: FormValidation[] = [];
    for (const call of this.#calls) {
      const asked = await call.ask<FormValidation>('validate', this.#seen(form, call));
      if ('fault' in asked) return wrongBy(asked.fault);
      if (asked.answer.errors.length > 0) found.push(asked.answer);
    }
    const [first] = found;
    if (first === undefined) return undefined;
    const alone = found.find(({ excludeOtherErrors }) => excludeOtherErrors === true);
    // A plugin may choose any name for a field, such as `__proto__`.
    const problems: Record<string, Message> = Object.create(null);
    const above: Message[] = [];
    for (const { field, message } of (alone === undefined ? found : [alone]).flatMap(({ errors }) => errors)) {
      if (field === undefined) above.push(message);
      else if (!Object.hasOwn(problems, field)) problems[field] = message;
    }
    const [message] = above;
    return { error: first.error ?? 'invalid_registration', problems, ...(message && { message }) };
  }

  /** Lets the actions complete the new user. @returns the reason why the user cannot be stored; undefined if it can */
  async succeed(form: Form, draft: NewUser): Promise<FormErrors | undefined> {
    for (const call of this.#calls) {
      const user = draft.username === '' ? undefined : viewOf(draft);
      const asked = await call.ask<HostFormActionResult>('success', { ...this.#seen(form, call), user }, {});
      if ('fault' in asked) return wrongBy(asked.fault);
      const wrong = call.registered.plugin.builtin ? undefined : wrongResult(asked.answer);
      if (wrong !== undefined) return wrongBy(call.fault('success', call.shapeError(wrong)));
      apply(asked.answer, draft);
    }
    return undefined;
  }

  #seen(form: Form, call?: FormActionCall): FormActionContext {
    const { client, locale, login = '' } = this.#context;
    const state = call && this.#kept.states[call.execution.id];
    return { client, locale, login, form, config: {}, user: undefined, state };
  }
}

function wrongBy({ error, message }: RegistrationFault): FormErrors {
  return { error, message, problems: {} };
}

/** Checks an action's part of the page, and adds its field names to `taken`. */
function wrongPart(call: FormActionCall, part: FormPart, taken: Set<string>): Error | undefined {
  const file = fileProblem(call, part);
  if (file !== undefined) return call.shapeError(file);
  for (const { name } of part.fields ?? []) {
    if (taken.has(name)) return call.shapeError(`named a field "${name}", which the page has already`);
    taken.add(name);
  }
  return undefined;
}

function wrongResult({ attributes = {} }: FormActionResult): string | undefined {
  const name = Object.keys(attributes).find(isRootAttribute);
  return name && `answered success with the attribute "${name}", which is the profile's`;
}

/** A plugin's field with the value typed before, unless the plugin sets one. */
function refilled(field: PageField, form: Form): PageField {
  const { name, type, value } = field;
  if (value !== undefined || type === 'password' || !Object.hasOwn(form, name)) return field;
  return { ...field, value: form[name] ?? '' };
}

function apply({ attributes = {}, requiredActions = [], change }: HostFormActionResult, draft: NewUser): void {
  change?.(draft);
  for (const [name, values] of Object.entries(attributes)) setAttribute(draft, name, values);
  draft.requiredActions = [...new Set([...(draft.requiredActions ?? []), ...requiredActions])];
}
