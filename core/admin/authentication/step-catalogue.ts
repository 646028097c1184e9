import {
  Authenticator,
  type AuthenticatorDeclaration,
  type AuthenticatorDescription,
  ClientAuthenticator,
  FormAction,
  type JsonSchema,
} from '@keyhost/spi';
import { REGISTRATION_PAGE } from '../../realms/flows/registration-steps.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';
import {
  UNSUPPORTED_AUTHENTICATORS,
  UNSUPPORTED_CLIENT_AUTHENTICATORS,
  UNSUPPORTED_FORM_ACTIONS,
  UNSUPPORTED_STEPS,
} from './unsupported-steps.js';

/** The description of a step in Keycloak's API. */
export interface StepDescription {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly requirementChoices: readonly string[];
  /** True if the step takes an `authenticatorConfig`. */
  readonly configurable: boolean;
  readonly settings: JsonSchema | undefined;
}

const EXECUTION_REQUIREMENTS = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];

/** Steps that show a form, which the form actions of a `form-flow` handle. */
export const FORM_STEPS = [REGISTRATION_PAGE];

/**
 * IDs of the client authenticators that flows may contain: those of this host, followed by those that only Keycloak
 * supports.
 */
export function clientAuthenticators(registry: ProviderRegistry): string[] {
  const ids = registry.all(ClientAuthenticator).map(({ id }) => id);
  return [...new Set([...ids, ...Object.keys(UNSUPPORTED_CLIENT_AUTHENTICATORS)])];
}

/**
 * Describes a step. A step without a description is shown by its ID, and counts as configurable if a plugin provides
 * it.
 */
export function describeStep(id: string, registry: ProviderRegistry, texts: AdminTexts): StepDescription {
  const authenticator = registry.find(Authenticator, id);
  const registeredStep = authenticator ?? registry.find(FormAction, id);
  const stepDescription = registeredStep && texts.description<AuthenticatorDescription>(registeredStep);
  const settings = registeredStep && texts.schema(registeredStep, registeredStep.declaration.settings);
  const choices = authenticator === undefined || isCondition(authenticator) ? ON_OR_OFF : EXECUTION_REQUIREMENTS;
  if (stepDescription !== undefined) {
    const { displayName, helpText: description = '', requirements: requirementChoices = choices } = stepDescription;
    return { id, displayName, description, requirementChoices, configurable: settings !== undefined, settings };
  }
  const clientAuthenticator = registry.find(ClientAuthenticator, id);
  if (registeredStep === undefined && clientAuthenticator !== undefined) {
    const { displayName = id, helpText: description = clientAuthenticator.plugin.name } =
      texts.description(clientAuthenticator) ?? {};
    return {
      id,
      displayName,
      description,
      requirementChoices: EXECUTION_REQUIREMENTS,
      configurable: false,
      settings: undefined,
    };
  }
  const unsupportedStep = Object.hasOwn(UNSUPPORTED_STEPS, id) ? UNSUPPORTED_STEPS[id] : undefined;
  if (registeredStep === undefined && unsupportedStep !== undefined) {
    const { displayName, helpText: description, requirements: requirementChoices } = unsupportedStep;
    const configurable = unsupportedStep.settings !== undefined;
    return { id, displayName, description, requirementChoices, configurable, settings: unsupportedStep.settings };
  }
  const description = registeredStep?.plugin.name ?? '';
  const configurable = registeredStep?.plugin.builtin === false;
  const requirementChoices =
    authenticator === undefined && registeredStep !== undefined ? ON_OR_OFF : EXECUTION_REQUIREMENTS;
  return { id, displayName: id, description, requirementChoices, configurable, settings };
}

/**
 * IDs of the form actions that flows may contain: those of this host, followed by those that only Keycloak supports.
 */
export function formActions(registry: ProviderRegistry): string[] {
  return [...new Set([...registry.all(FormAction).map(({ id }) => id), ...Object.keys(UNSUPPORTED_FORM_ACTIONS)])];
}

/**
 * IDs of the steps that can be added to a flow of this type. Conditions follow the host's other steps. Steps that only
 * Keycloak supports come last: a flow may contain them, but no user can complete them.
 * @param providerId the type of the flow, such as `basic-flow` or `form-flow`
 */
export function addableSteps(registry: ProviderRegistry, providerId: string | undefined): string[] {
  if (providerId === 'client-flow') return clientAuthenticators(registry);
  if (providerId === 'form-flow') return formActions(registry);
  const authenticators = registry.all(Authenticator).filter(({ id }) => !FORM_STEPS.includes(id));
  const steps = authenticators.filter((authenticator) => !isCondition(authenticator));
  const ids = [...steps, ...authenticators.filter(isCondition)].map(({ id }) => id);
  return [...new Set([...ids, ...Object.keys(UNSUPPORTED_AUTHENTICATORS)])];
}

function isCondition(registered: { readonly declaration: AuthenticatorDeclaration } | undefined): boolean {
  return registered?.declaration.describe?.category === 'condition';
}
