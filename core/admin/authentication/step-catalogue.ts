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
  MISSING_AUTHENTICATORS,
  MISSING_CLIENT_AUTHENTICATORS,
  MISSING_FORM_ACTIONS,
  UNPROVIDED_STEPS,
} from './unprovided-steps.js';

/** How Keycloak shows a step of a flow. */
export interface StepDescription {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly requirementChoices: readonly string[];
  /** True if the step takes an `authenticatorConfig`. */
  readonly configurable: boolean;
  readonly settings: JsonSchema | undefined;
}

const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];

/** The forms that a flow may consist of. */
export const FORMS = [REGISTRATION_PAGE];

/** The client authenticators that flows can use: those of this host, and the others of Keycloak. */
export function clientAuthenticators(registry: ProviderRegistry): string[] {
  const own = registry.all(ClientAuthenticator).map(({ id }) => id);
  return [...new Set([...own, ...Object.keys(MISSING_CLIENT_AUTHENTICATORS)])];
}

/**
 * Describes a step. A step without a description is shown by its ID. If a plugin provides it, it counts as
 * configurable.
 */
export function describeStep(id: string, registry: ProviderRegistry, words: AdminTexts): StepDescription {
  const authenticator = registry.find(Authenticator, id);
  const registered = authenticator ?? registry.find(FormAction, id);
  const describe = registered && words.description<AuthenticatorDescription>(registered);
  const settings = registered && words.schema(registered, registered.declaration.settings);
  const choices = authenticator === undefined || isCondition(authenticator) ? ON_OR_OFF : ANY;
  if (describe !== undefined) {
    const { displayName, helpText: description = '', requirements: requirementChoices = choices } = describe;
    return { id, displayName, description, requirementChoices, configurable: settings !== undefined, settings };
  }
  const ofClients = registry.find(ClientAuthenticator, id);
  if (registered === undefined && ofClients !== undefined) {
    const { displayName = id, helpText: description = ofClients.plugin.name } = words.description(ofClients) ?? {};
    return { id, displayName, description, requirementChoices: ANY, configurable: false, settings: undefined };
  }
  const known = Object.hasOwn(UNPROVIDED_STEPS, id) ? UNPROVIDED_STEPS[id] : undefined;
  if (registered === undefined && known !== undefined) {
    const { displayName, helpText: description, requirements: requirementChoices } = known;
    const configurable = known.settings !== undefined;
    return { id, displayName, description, requirementChoices, configurable, settings: known.settings };
  }
  const description = registered?.plugin.name ?? '';
  const configurable = registered?.plugin.builtin === false;
  const requirementChoices = authenticator === undefined && registered !== undefined ? ON_OR_OFF : ANY;
  return { id, displayName: id, description, requirementChoices, configurable, settings };
}

/** The form actions that flows can use: those of this host, and the others of Keycloak. */
export function formActions(registry: ProviderRegistry): string[] {
  return [...new Set([...registry.all(FormAction).map(({ id }) => id), ...Object.keys(MISSING_FORM_ACTIONS)])];
}

/**
 * The steps that can be added to a flow, followed by the conditions: those of this host, and the others of Keycloak. A
 * flow may contain the latter, but no user can complete them.
 */
export function addableSteps(registry: ProviderRegistry, providerId: string | undefined): string[] {
  if (providerId === 'client-flow') return clientAuthenticators(registry);
  if (providerId === 'form-flow') return formActions(registry);
  const all = registry.all(Authenticator).filter(({ id }) => !FORMS.includes(id));
  const steps = all.filter((one) => !isCondition(one));
  const own = [...steps, ...all.filter(isCondition)].map(({ id }) => id);
  return [...new Set([...own, ...Object.keys(MISSING_AUTHENTICATORS)])];
}

function isCondition(registered: { readonly declaration: AuthenticatorDeclaration } | undefined): boolean {
  return registered?.declaration.describe?.category === 'condition';
}
