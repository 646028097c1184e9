import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { allExecutions, type Execution, flowOf, readFlow } from './flow-model.js';

/** Keycloak's step that shows the registration form. The steps of its flow are the parts of the form. */
export const REGISTRATION_PAGE = 'registration-page-form';
/** The step that creates the user. A flow without it cannot register users. */
export const USER_CREATION = 'registration-user-creation';
/** A step of realms before Keycloak 24, whose work the user creation does now. */
const FORMER_PROFILE_ACTION = 'registration-profile-action';

/** The form actions of the realm's registration. */
export interface RegistrationSteps {
  /** The enabled form actions of this host, in their order. */
  readonly actions: readonly (Execution & { readonly authenticator: string })[];
  /**
   * Steps that the flow requires and this host does not have, and required ones that the flow lacks. Empty if users can
   * register.
   */
  readonly missing: readonly string[];
}

/**
 * Reads the form of the client's registration flow.
 * @param hasFormAction whether this host has a form action of the ID
 */
export function registrationSteps(
  realm: Realm,
  client: Client,
  hasFormAction: (id: string) => boolean,
): RegistrationSteps {
  return stepsOf(flowOf(realm, client, 'registration'), hasFormAction);
}

/** Returns the steps without which no user can register in the realm; empty if none are missing. */
export function missingSteps(realm: RealmRepresentation, hasFormAction: (id: string) => boolean): readonly string[] {
  return stepsOf(readFlow(realm, realm.registrationFlow ?? 'registration'), hasFormAction).missing;
}

function stepsOf(flow: readonly Execution[], hasFormAction: (id: string) => boolean): RegistrationSteps {
  const page = allExecutions(flow).find(
    ({ authenticator, requirement }) => authenticator === REGISTRATION_PAGE && requirement !== 'DISABLED',
  );
  const steps = (page?.executions ?? [])
    .filter(({ requirement, authenticator }) => requirement !== 'DISABLED' && authenticator !== FORMER_PROFILE_ACTION)
    .map(({ authenticator = 'a flow within the form', ...execution }) => ({ ...execution, authenticator }));
  const unknownSteps = steps.map(({ authenticator }) => authenticator).filter((id) => !hasFormAction(id));
  const createsUser = steps.some(({ authenticator }) => authenticator === USER_CREATION);
  return {
    actions: steps.filter(({ authenticator }) => hasFormAction(authenticator)),
    missing: createsUser ? unknownSteps : [...unknownSteps, USER_CREATION],
  };
}
