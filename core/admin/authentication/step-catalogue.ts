import { Authenticator, type AuthenticatorDeclaration, type JsonSchema } from '@keyhost/spi';
import { REGISTRATION_PAGE, REGISTRATION_STEPS } from '../../realms/flows/registration-steps.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { UNPROVIDED_STEPS } from './unprovided-steps.js';

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

/** The client authenticators that this host has. */
export const CLIENT_AUTHENTICATORS = ['client-secret', 'client-jwt', 'client-secret-jwt'];
/** The forms that a flow may consist of. */
export const FORMS = [REGISTRATION_PAGE];

/** What is known of a step. One that nobody describes is shown by its id; a plugin's of that sort takes configuration. */
export function describeStep(id: string, registry: ProviderRegistry): StepDescription {
  const registered = registry.find(Authenticator, id);
  const { describe, settings } = registered?.declaration ?? {};
  if (describe !== undefined) {
    const { displayName, helpText: description = '', requirements } = describe;
    const requirementChoices = requirements ?? (isCondition(registered) ? CONDITION : ANY);
    return { id, displayName, description, requirementChoices, configurable: settings !== undefined, settings };
  }
  const known = Object.hasOwn(UNPROVIDED_STEPS, id) ? UNPROVIDED_STEPS[id] : undefined;
  const [displayName, description, requirementChoices] = known ?? [id, registered?.plugin.name ?? '', ANY];
  const configurable = registered?.plugin.builtin === false;
  return { id, displayName, description, requirementChoices, configurable, settings };
}

/** The steps that may be added to a flow, then the conditions: those that this host can run. */
export function stepsToAdd(registry: ProviderRegistry, providerId: string | undefined): string[] {
  if (providerId === 'client-flow') return [...CLIENT_AUTHENTICATORS];
  if (providerId === 'form-flow') return [...REGISTRATION_STEPS];
  const all = registry.all(Authenticator).filter(({ id }) => !FORMS.includes(id));
  const steps = all.filter((one) => !isCondition(one));
  return [...steps, ...all.filter(isCondition)].map(({ id }) => id);
}

function isCondition(registered: { readonly declaration: AuthenticatorDeclaration } | undefined): boolean {
  return registered?.declaration.describe?.category === 'condition';
}
