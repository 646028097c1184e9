import { randomUUID } from 'node:crypto';
import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type Message,
  type PageField,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { UserRepresentation } from '../../model/representation.js';
import { errorOf, profileFields, typedValues } from '../../pages/forms/profile-fields.js';
import { REGISTRATION_PAGE, type RegistrationSteps, registrationSteps } from '../../realms/flows/registration-steps.js';
import { newUserDefaults } from '../../realms/new-user-defaults.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { newPassword } from '../../users/passwords/password-change.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import { attributeValues, setAttribute } from '../../users/profile/attribute-values.js';
import type { AttributeValues } from '../../users/profile/check-profile.js';
import { fillDefaults, withDefaults } from '../../users/profile/default-values.js';
import { ownAttributes, ownMistakes } from '../../users/profile/own-profile.js';
import type { Users } from '../../users/users.js';
import { passwordProblem } from '../required-actions/password-problem.js';
import type { RegistrationLimit } from './registration-limit.js';

export interface RegistrationServices {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly registrations: RegistrationLimit;
}

type Form = Readonly<Record<string, string>>;
type Draft = UserRepresentation & { id: string };
/** What is wrong, by the name of the field. */
type Problems = Readonly<Record<string, Message>>;

/** Keycloak's RegistrationPage with its form actions: people make themselves a user, who is logged in then. */
export function registrationPage(services: RegistrationServices): ProviderDefinition {
  return provide(Authenticator, {
    id: REGISTRATION_PAGE,
    describe: {
      displayName: 'Registration Page',
      helpText: 'This is the controller for the registration page',
      // Whoever has just made the user is that user.
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
    return this.#refusal(context) ?? { outcome: 'challenge', page: this.#page(context, {}, {}) };
  }

  async action(context: AuthenticationContext, form: Form): Promise<AuthenticationStep> {
    const refusal = this.#refusal(context);
    if (refusal !== undefined) return refusal;
    const { compiledRealm: realm, caller } = this.#session;
    const steps = this.#steps(context);
    const refuse = (error: string, problems: Problems): AuthenticationStep => ({
      outcome: 'challenge',
      error,
      page: this.#page(context, form, problems),
    });
    const draft = this.#draft(form);
    const problems = { ...this.#profileProblems(draft), ...this.#otherProblems(steps, form) };
    if (Object.keys(problems).length > 0) return refuse('invalid_registration', problems);
    if (!(await this.#services.registrations.allows(realm, caller.ip))) {
      const message = { key: 'tooManyRegistrationsMessage' };
      return { outcome: 'challenge', error: 'invalid_registration', message, page: this.#page(context, form, {}) };
    }
    if (steps.terms) this.#acceptTerms(draft);
    if (steps.password) {
      try {
        (await newPassword(this.#services, realm, draft, form.password ?? ''))(draft);
      } catch (error) {
        const problem = passwordProblem(error);
        if (problem === undefined) throw error;
        return refuse('invalid_registration', { password: problem });
      }
      // A new user has no earlier links that would have to end.
      delete draft.linksNotBefore;
    }
    const created = await this.#create(context, draft);
    if ('exists' in created) {
      const byEmail = created.exists === 'email' || realm.settings.registrationEmailAsUsername;
      return byEmail
        ? refuse('email_in_use', { email: { key: 'emailExistsMessage' } })
        : refuse('username_in_use', { username: { key: 'usernameExistsMessage' } });
    }
    return { outcome: 'success', userId: created.id };
  }

  /** Why nobody can register; undefined: somebody can. */
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
    const realm = this.#session.compiledRealm;
    return registrationSteps(realm, realm.clients.get(client.clientId) as Client);
  }

  #draft(form: Form): Draft {
    const realm = this.#session.compiledRealm;
    const attributes = ownAttributes(realm, 'REGISTRATION');
    const typed = this.#typed(form);
    const draft: Draft = {
      id: randomUUID(),
      username: '',
      enabled: true,
      emailVerified: false,
      createdTimestamp: this.#services.clock.now(),
      ...newUserDefaults(realm),
    };
    for (const { attribute } of attributes) setAttribute(draft, attribute.name, typed(attribute.name));
    if (realm.settings.registrationEmailAsUsername) draft.username = draft.email ?? '';
    return draft;
  }

  /** What was typed; of what the form did not have, also when it is shown first, the profile's defaults. */
  #typed(form: Form): AttributeValues {
    const realm = this.#session.compiledRealm;
    const typed = typedValues(ownAttributes(realm, 'REGISTRATION'), form, () => []);
    const filled = withDefaults(realm, typed);
    return (name) => (Object.hasOwn(form, name) ? typed(name) : filled(name));
  }

  #profileProblems(draft: Draft): Problems {
    const realm = this.#session.compiledRealm;
    const mistakes = ownMistakes(realm, ownAttributes(realm, 'REGISTRATION'), attributeValues(draft));
    return Object.fromEntries(mistakes.map((mistake) => [mistake.attribute, errorOf(mistake)]));
  }

  #otherProblems(steps: RegistrationSteps, form: Form): Problems {
    const problems: Record<string, Message> = {};
    if (steps.password) {
      const { password = '' } = form;
      if (password === '') problems.password = { key: 'missingPasswordMessage' };
      else if (password !== form['password-confirm']) {
        problems['password-confirm'] = { key: 'invalidPasswordConfirmMessage' };
      }
    }
    if (steps.terms && form.termsAccepted !== 'on') problems.termsAccepted = { key: 'termsAcceptanceRequired' };
    return problems;
  }

  #acceptTerms(draft: Draft): void {
    const seconds = Math.floor(this.#services.clock.now() / 1000);
    setAttribute(draft, 'terms_and_conditions', [String(seconds)]);
    draft.requiredActions = draft.requiredActions?.filter((alias) => alias !== 'TERMS_AND_CONDITIONS') ?? [];
  }

  #page(context: AuthenticationContext, form: Form, problems: Problems) {
    const realm = this.#session.compiledRealm;
    const steps = this.#steps(context);
    const attributes = ownAttributes(realm, 'REGISTRATION');
    const withError = (field: PageField): PageField => {
      const error = Object.hasOwn(problems, field.name) ? problems[field.name] : undefined;
      return error === undefined ? field : { ...field, error };
    };
    const fields = profileFields(realm, attributes, this.#typed(form), []);
    const shared = { type: 'password', autocomplete: 'new-password', required: true } as const;
    const passwords: PageField[] = [
      { name: 'password', label: { key: 'password' }, ...shared },
      { name: 'password-confirm', label: { key: 'passwordConfirm' }, ...shared },
    ];
    const terms: PageField = {
      name: 'termsAccepted',
      type: 'checkbox',
      label: { key: 'acceptTerms' },
      help: { key: 'termsText' },
      value: form.termsAccepted === 'on' ? 'on' : '',
      required: true,
    };
    return {
      page: 'form' as const,
      title: { key: 'registerTitle' },
      fields: [...fields, ...(steps.password ? passwords : []), ...(steps.terms ? [terms] : [])].map(withError),
      submit: { key: 'doRegister' },
      cancel: { key: 'backToLogin' },
    };
  }

  /** Creates the user together with the event that tells of it. */
  #create({ client }: AuthenticationContext, draft: Draft): ReturnType<Users['create']> {
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
