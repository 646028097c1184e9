import { FormAction, type FormActionContext, type FormActionProvider, HostError, type Message } from '@keyhost/spi';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegistrationSteps } from '../../realms/flows/registration-steps.js';
import { createProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { asFailure, withTimeLimit } from '../flows/plugin-errors.js';
import { mayReadTypedPassword } from '../flows/typed-password.js';
import { PASSWORD_FIELDS } from './form-actions/password.js';
import type { Form } from './new-user.js';

/** An execution of the registration form. */
export type FormExecution = RegistrationSteps['actions'][number];

/** Why a form action prevents the registration. */
export interface RegistrationFault {
  /** Keycloak's error of the event. */
  readonly error: string;
  readonly message: Message;
}

export type FormActionAnswer<T> = { readonly answer: T } | { readonly fault: RegistrationFault };

/**
 * The message of the page if a plugin's action threw an error, timed out, or gave an answer that its SPI does not
 * allow.
 */
const FAILED_MESSAGE: Message = { key: 'registrationFailedMessage' };

/** Calls one form action of a flow in this session. */
export class CallableFormAction {
  readonly execution: FormExecution;
  readonly registered: RegisteredProvider<unknown, FormActionProvider>;
  readonly #session: HostSession;
  #pluginSession: HostSession | undefined;
  #provider: FormActionProvider | undefined;

  /** @throws Error if this host does not have the action; then the form is not shown */
  constructor(session: HostSession, execution: FormExecution) {
    const registered = session.generation.find(FormAction, execution.authenticator);
    if (registered === undefined) throw new Error(`form action ${execution.authenticator} not found`);
    this.execution = execution;
    this.registered = registered;
    this.#session = session;
  }

  /**
   * Calls a method of the action. If a plugin fails, the result is a fault: the browser gets a page, and the log has
   * the reason.
   * @param defaultAnswer the answer of an action without the method; undefined if the method is mandatory
   * @throws errors of built-in actions
   */
  async call<T>(
    method: keyof FormActionProvider,
    context: FormActionContext,
    defaultAnswer?: T,
  ): Promise<FormActionAnswer<T>> {
    const actionContext = { ...context, config: this.execution.config, form: this.#readableForm(context.form) };
    try {
      const callMethod = async () => (await this.#getProvider()[method]?.(actionContext)) as T | undefined;
      const answer = (await withTimeLimit(this.#actionSession(), this.registered, callMethod)) ?? defaultAnswer;
      if (answer === undefined) throw this.shapeError(`answered ${method} with nothing`);
      return { answer };
    } catch (error) {
      return { fault: this.toFault(method, error) };
    }
  }

  /** The error for an answer that a form action must not give. */
  shapeError(problem: string): HostError {
    const { plugin, spi, id } = this.registered;
    return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${problem}`);
  }

  /**
   * Turns an error of a plugin into a fault, and logs it.
   * @throws the error itself if the action is built in
   */
  toFault(method: string, error: unknown): RegistrationFault {
    if (this.registered.plugin.builtin) throw error;
    try {
      // The error may be a refusal with its own message.
      return asFailure(this.#session, this.registered, error, 'a form action threw an error, and nobody registered');
    } catch {
      const { plugin, spi, id } = this.registered;
      this.#session.logger.error('a form action failed: nobody registers by its form', {
        plugin: plugin.name,
        provider: `${spi.id}/${id}`,
        method,
        realm: this.#session.compiledRealm.name,
        reason: messageOf(error),
      });
      return { error: codeOf(error) ?? 'unknown_error', message: FAILED_MESSAGE };
    }
  }

  #getProvider(): FormActionProvider {
    if (this.#provider === undefined) {
      const { generation, compiledRealm } = this.#session;
      const enabled = enabledProvider(generation, compiledRealm, FormAction, this.execution.authenticator);
      if (enabled === undefined) throw this.shapeError('is not enabled');
      this.#provider = createProvider(enabled, this.#actionSession());
    }
    return this.#provider;
  }

  /** A plugin gets its own session, so that a timeout only ends its own calls. */
  #actionSession(): HostSession {
    const { plugin } = this.registered;
    this.#pluginSession ??= plugin.builtin ? this.#session : this.#session.createInner(plugin.name);
    return this.#pluginSession;
  }

  /** The form, without the passwords unless the action may read them. */
  #readableForm(form: Form): Form {
    const { plugin } = this.registered;
    if (plugin.builtin || mayReadTypedPassword(this.#session, this.registered)) return form;
    return Object.fromEntries(Object.entries(form).filter(([name]) => !PASSWORD_FIELDS.includes(name)));
  }
}
