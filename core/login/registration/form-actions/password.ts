import {
  FormAction,
  type FormActionContext,
  type FormError,
  type FormPart,
  type FormValidation,
  type PageField,
  provide,
} from '@keyhost/spi';
import type { Clock } from '../../../model/clock.js';
import type { Realm } from '../../../model/realm.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { preparePasswordChange, requireAllowedPassword } from '../../../users/passwords/password-change.js';
import { MAX_PASSWORD_LENGTH } from '../../../users/passwords/password-hasher.js';
import type { Passwords } from '../../../users/passwords/passwords.js';
import { passwordProblem } from '../../required-actions/password-problem.js';
import { fillProfile, type HostFormActionResult, newUser } from '../new-user.js';

/** The password fields. A plugin may read them only if it has the right to. */
export const PASSWORD_FIELDS: readonly string[] = ['password', 'password-confirm'];

export interface PasswordActionServices {
  readonly passwords: Passwords;
  readonly clock: Clock;
}

/** Keycloak's RegistrationPassword: asks for a password and its confirmation. */
export const passwordAction = (services: PasswordActionServices) =>
  provide(FormAction, {
    id: 'registration-password-action',
    describe: {
      displayName: 'Password Validation',
      helpText: 'Asks for a password twice, checks it by the password policy, and gives it to the new user.',
    },
    open: () => ({ create: ({ compiledRealm }: HostSession) => new PasswordAction(compiledRealm, services) }),
  });

const FIELD_OPTIONS = { type: 'password', autocomplete: 'new-password', required: true } as const;
const FIELDS: readonly PageField[] = [
  { name: 'password', label: { key: 'password' }, ...FIELD_OPTIONS },
  { name: 'password-confirm', label: { key: 'passwordConfirm' }, ...FIELD_OPTIONS },
];

class PasswordAction {
  readonly #realm: Realm;
  readonly #services: PasswordActionServices;

  constructor(realm: Realm, services: PasswordActionServices) {
    this.#realm = realm;
    this.#services = services;
  }

  async buildPage(): Promise<FormPart> {
    return { fields: FIELDS };
  }

  async validate({ form }: FormActionContext): Promise<FormValidation> {
    const { password = '' } = form;
    if (password === '') return { errors: [{ field: 'password', message: { key: 'missingPasswordMessage' } }] };
    const errors: FormError[] = [];
    if (password !== form['password-confirm']) {
      errors.push({ field: 'password-confirm', message: { key: 'invalidPasswordConfirmMessage' } });
    }
    const message = await this.#problem(form, password);
    if (message !== undefined) errors.push({ field: 'password', message });
    return { errors };
  }

  async success({ form }: FormActionContext): Promise<HostFormActionResult> {
    const owner = fillProfile(this.#realm, newUser(this.#realm, 0), form);
    const write = await preparePasswordChange(this.#services, this.#realm, owner, form.password ?? '');
    return {
      change(draft) {
        write(draft);
        // A new user has no earlier links to invalidate.
        delete draft.linksNotBefore;
      },
    };
  }

  /**
   * Checks the password itself.
   * @returns the message for the user; undefined if it is accepted
   */
  async #problem(form: FormActionContext['form'], password: string) {
    if (password.length > MAX_PASSWORD_LENGTH) {
      return { key: 'invalidPasswordMaxLengthMessage', params: [String(MAX_PASSWORD_LENGTH)] };
    }
    try {
      const owner = fillProfile(this.#realm, newUser(this.#realm, 0), form);
      await requireAllowedPassword(this.#services.passwords, this.#realm, owner, password);
      return undefined;
    } catch (error) {
      const problem = passwordProblem(error);
      if (problem === undefined) throw error;
      return problem;
    }
  }
}
