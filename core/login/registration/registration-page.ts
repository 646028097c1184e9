import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  FormAction,
  type Message,
  type PageField,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { REGISTRATION_PAGE, type RegistrationSteps, registrationSteps } from '../../realms/flows/registration-steps.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { fillDefaults } from '../../users/profile/default-values.js';
import type { Users } from '../../users/users.js';
import type { HostChallenge } from '../flows/step-files.js';
import { type Form, fillProfile, findTakenField, type NewUser, newUser } from './new-user.js';
import { type FormErrors, RegistrationForm } from './registration-form.js';
import type { RegistrationLimit } from './registration-limit.js';

export interface RegistrationServices {
  readonly users: Users;
  readonly clock: Clock;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly registrations: RegistrationLimit;
}

/**
 * Keycloak's RegistrationPage: visitors create a user and are signed in as that user. Form actions provide the parts of
 * the page.
 */
export function registrationPage(services: RegistrationServices): ProviderDefinition {
  return provide(Authenticator, {
    id: REGISTRATION_PAGE,
    describe: {
      displayName: 'Registration Page',
      helpText: 'This is the controller for the registration page',
      // The visitor has just created the user.
      proves: true,
      requirements: ['REQUIRED', 'DISABLED'],
    },
    open: () => ({ create: (session: HostSession) => new Registration(session, services) }),
  });
}

class Registration {
  readonly #session: HostSession;
  readonly #services: RegistrationServices;

  constructor(session: HostSession, services: RegistrationServices) {
    this.#session = session;
    this.#services = services;
  }

  async authenticate(context: AuthenticationContext): Promise<AuthenticationStep> {
    return this.#refusal(context) ?? this.#showPage(this.#form(context), {});
  }

  async action(context: AuthenticationContext, input: Form): Promise<AuthenticationStep> {
    const refusal = this.#refusal(context);
    if (refusal !== undefined) return refusal;
    const { compiledRealm: realm, caller } = this.#session;
    const { users, clock, registrations } = this.#services;
    const form = this.#form(context);
    // An incomplete page did not ask for everything, so show it again.
    if (!form.isComplete) return this.#showPage(form, input);
    const refuse = (formErrors: FormErrors) => this.#showPage(form, input, formErrors);
    const errors = await form.validate(input);
    if (errors !== undefined) return refuse(errors);
    if (!(await registrations.countAttempt(realm, caller.ip))) {
      const message = { key: 'tooManyRegistrationsMessage' };
      return refuse({ error: 'invalid_registration', problems: {}, message });
    }
    const draft = newUser(realm, clock.now());
    // Report a taken username or email before actions have effects for this user. Unlike in Keycloak, a form that an
    // action rejects, for example because the captcha is not solved, does not reveal which accounts exist.
    const candidate = fillProfile(realm, { ...draft }, input);
    const takenField = await findTakenField(users, realm, candidate);
    if (takenField !== undefined) return refuse(this.#inUseErrors(takenField));
    const completionErrors = await form.completeUser(input, draft);
    if (completionErrors !== undefined) return refuse(completionErrors);
    const created = await this.#create(context, draft);
    return 'exists' in created ? refuse(this.#inUseErrors(created.exists)) : { outcome: 'success', userId: created.id };
  }

  #form(context: AuthenticationContext): RegistrationForm {
    return new RegistrationForm(this.#session, context, this.#steps(context).actions);
  }

  #inUseErrors(takenField: string): FormErrors {
    return takenField === 'email' || this.#session.compiledRealm.settings.registrationEmailAsUsername
      ? { error: 'email_in_use', problems: { email: { key: 'emailExistsMessage' } } }
      : { error: 'username_in_use', problems: { username: { key: 'usernameExistsMessage' } } };
  }

  /** The reason why registration is impossible; undefined if it is possible. */
  #refusal(context: AuthenticationContext): Extract<AuthenticationStep, { outcome: 'failure' }> | undefined {
    const { settings, name } = this.#session.compiledRealm;
    if (!settings.registrationAllowed || context.user !== undefined) {
      return { outcome: 'failure', error: 'registration_disabled', message: { key: 'registrationNotAllowedMessage' } };
    }
    const { missing } = this.#steps(context);
    if (missing.length === 0) return undefined;
    this.#session.logger.error('no user can register: a step of the registration flow is missing', {
      realm: name,
      steps: [...missing],
    });
    return { outcome: 'failure', error: 'invalid_registration', message: { key: 'registrationNotPossibleMessage' } };
  }

  #steps({ client }: AuthenticationContext): RegistrationSteps {
    const { compiledRealm: realm, generation } = this.#session;
    const has = (id: string) => generation.find(FormAction, id) !== undefined;
    return registrationSteps(realm, realm.clients.get(client.clientId) as Client, has);
  }

  /** The page with the entered values and the errors. */
  async #showPage(form: RegistrationForm, input: Form, errors?: FormErrors): Promise<HostChallenge> {
    const { fields, files, state, fault } = await form.build(input);
    const { problems = {}, message: formMessage, error } = errors ?? {};
    const isOnPage = (name: string) => fields.some((field) => field.name === name && field.type !== 'hidden');
    const unplacedProblem = Object.entries(problems).find(([name]) => !isOnPage(name))?.[1];
    const message = fault?.message ?? formMessage ?? unplacedProblem;
    const withError = (field: PageField): PageField => {
      const problem: Message | undefined = Object.hasOwn(problems, field.name) ? problems[field.name] : undefined;
      return problem === undefined ? field : { ...field, error: problem };
    };
    return {
      outcome: 'challenge',
      ...defined({ error: error ?? fault?.error, message, files, state }),
      page: {
        page: 'form',
        title: { key: 'registerTitle' },
        fields: fields.map(withError),
        submit: { key: 'doRegister' },
        cancel: { key: 'backToLogin' },
      },
    };
  }

  /** Creates the user and records the event in the same transaction. */
  #create({ client }: AuthenticationContext, draft: NewUser): ReturnType<Users['create']> {
    const { compiledRealm: realm, caller } = this.#session;
    const { events, sessions, users } = this.#services;
    fillDefaults(draft, realm);
    const { id, username, email = '' } = draft;
    const details = { username, email, register_method: 'form', auth_method: 'openid-connect' };
    const event = { type: 'REGISTER', userId: id, clientId: client.clientId, ipAddress: caller.ip, details };
    return events.emitWithChange(
      realm,
      (created?: Awaited<ReturnType<Users['create']>>) =>
        created !== undefined && 'exists' in created ? undefined : event,
      () => sessions.create(realm, caller, 'keyhost'),
      () => users.create(realm, draft),
    );
  }
}
