import {
  Authenticator,
  type AuthenticatorDeclaration,
  type AuthenticatorDescription,
  type JsonSchema,
} from '@keyhost/spi';
import { REGISTRATION_PAGE, REGISTRATION_STEPS } from '../../realms/flows/registration-steps.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminWords } from '../admin-words.js';
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
  /** True where the step takes an `authenticatorConfig`. */
  readonly configurable: boolean;
  readonly settings: JsonSchema | undefined;
}

const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const CONDITION = ['REQUIRED', 'DISABLED'];

/** The client authenticators that flows can name: those that this host has, and Keycloak's others. */
export const CLIENT_AUTHENTICATORS = [
  ...['client-secret', 'client-jwt', 'client-secret-jwt'],
  ...Object.keys(MISSING_CLIENT_AUTHENTICATORS),
];
/** The form actions that flows can name. */
export const FORM_ACTIONS = [...REGISTRATION_STEPS, ...Object.keys(MISSING_FORM_ACTIONS)];
/** The forms that a flow may consist of. */
export const FORMS = [REGISTRATION_PAGE];

/** What is known of a step. One that nobody describes is shown by its id; a plugin's of that sort takes configuration. */
export function describeStep(id: string, registry: ProviderRegistry, words: AdminWords): StepDescription {
  const registered = registry.find(Authenticator, id);
  const describe = registered && words.description<AuthenticatorDescription>(registered);
  const settings = registered && words.schema(registered, registered.declaration.settings);
  if (describe !== undefined) {
    const { displayName, helpText: description = '', requirements } = describe;
    const requirementChoices = requirements ?? (isCondition(registered) ? CONDITION : ANY);
    return { id, displayName, description, requirementChoices, configurable: settings !== undefined, settings };
  }
  const known = Object.hasOwn(UNPROVIDED_STEPS, id) ? UNPROVIDED_STEPS[id] : undefined;
  if (registered === undefined && known !== undefined) {
    const { displayName, helpText: description, requirements: requirementChoices } = known;
    const configurable = known.settings !== undefined;
    return { id, displayName, description, requirementChoices, configurable, settings: known.settings };
  }
  const description = registered?.plugin.name ?? '';
  const configurable = registered?.plugin.builtin === false;
  return { id, displayName: id, description, requirementChoices: ANY, configurable, settings };
}

/**
 * The steps that may be added to a flow, then the conditions: those that this host can run, and Keycloak's others. A flow that
 * names one of these is kept, and nobody gets past it.
 */
export function stepsToAdd(registry: ProviderRegistry, providerId: string | undefined): string[] {
  if (providerId === 'client-flow') return [...CLIENT_AUTHENTICATORS];
  if (providerId === 'form-flow') return [...FORM_ACTIONS];
  const all = registry.all(Authenticator).filter(({ id }) => !FORMS.includes(id));
  const steps = all.filter((one) => !isCondition(one));
  const own = [...steps, ...all.filter(isCondition)].map(({ id }) => id);
  return [...new Set([...own, ...Object.keys(MISSING_AUTHENTICATORS)])];
}

function isCondition(registered: { readonly declaration: AuthenticatorDeclaration } | undefined): boolean {
  return registered?.declaration.describe?.category === 'condition';
}
