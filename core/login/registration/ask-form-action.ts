import { FormAction, type FormActionContext, type FormActionProvider, type Message } from '@keyhost/spi';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegistrationSteps } from '../../realms/flows/registration-steps.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { asFailure, limitedAnswer } from '../flows/thrown-by-plugin.js';
import { mayReadTypedPassword } from '../flows/typed-password.js';
import { PASSWORD_FIELDS } from './form-actions/password.js';
import type { Form } from './new-user.js';

/** An execution of the registration form. */
export type FormExecution = RegistrationSteps['actions'][number];

/** Why nobody registers, by the action that was asked. */
export interface Fault {
  /** Keycloak's error of the event. */
  readonly error: string;
  readonly message: Message;
}

export type Asked<T> = { readonly answer: T } | { readonly fault: Fault };

/** What the page says where a plugin's action threw, was late, or answered what its SPI does not allow. */
const FAILED: Message = { key: 'registrationFailedMessage' };

/** A form action of a flow, for this session. */
export class FormActionCall {
  readonly execution: FormExecution;
  readonly registered: RegisteredProvider<unknown, FormActionProvider>;
  readonly #session: HostSession;
  readonly #enabled: EnabledProvider<unknown, FormActionProvider>;
  #provider: FormActionProvider | undefined;

  /** @throws Error where this host does not have the action: such a form is not shown */
  constructor(session: HostSession, execution: FormExecution) {
    const { authenticator } = execution;
    const enabled = enabledProvider(session.generation, session.compiledRealm, FormAction, authenticator);
    if (enabled === undefined) throw new Error(`form action ${authenticator} not found`);
    this.execution = execution;
    this.registered = enabled.registered;
    this.#enabled = enabled;
    this.#session = session;
  }

  /**
   * What the action answers. A plugin that fails is a fault: the browser gets a page, and the log says why.
   * @throws what a built-in action throws
   */
  async ask<T>(method: keyof FormActionProvider, context: FormActionContext, otherwise: T): Promise<Asked<T>> {
    const { registered } = this;
    const seen = { ...context, config: this.execution.config, form: this.#readable(context.form) };
    try {
      const answer = await limitedAnswer(this.#session, registered, async () => this.#created()[method]?.(seen));
      return { answer: (answer as T | undefined) ?? otherwise };
    } catch (error) {
      return { fault: this.fault(method, error) };
    }
  }

  /** @throws the error itself where the action is built in */
  fault(method: string, error: unknown): Fault {
    if (this.registered.plugin.builtin) throw error;
    try {
      // It may have refused in words of its own.
      return asFailure(this.#session, this.registered, error);
    } catch {
      const { plugin, spi, id } = this.registered;
      this.#session.logger.error('a form action failed: nobody registers by its form', {
        ...{ plugin: plugin.name, provider: `${spi.id}/${id}`, method, realm: this.#session.compiledRealm.name },
        reason: messageOf(error),
      });
      return { error: codeOf(error) ?? 'unknown_error', message: FAILED };
    }
  }

  #created(): FormActionProvider {
    const { plugin } = this.registered;
    // A session of its own: what this action is late with ends nothing but its own calls.
    this.#provider ??= createProvider(this.#enabled, plugin.builtin ? this.#session : this.#session.inner(plugin.name));
    return this.#provider;
  }

  /** What of the form the action may read. */
  #readable(form: Form): Form {
    const { plugin } = this.registered;
    if (plugin.builtin || mayReadTypedPassword(this.#session, this.registered)) return form;
    return Object.fromEntries(Object.entries(form).filter(([name]) => !PASSWORD_FIELDS.includes(name)));
  }
}
