import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { allExecutions, type Execution, flowOf, readFlow } from './flow-model.js';

/** Keycloak's step that is a form, whose parts are the steps of the flow in it. */
export const REGISTRATION_PAGE = 'registration-page-form';
/** Without it no user is created. */
export const USER_CREATION = 'registration-user-creation';
/** From realms before Keycloak 24: the user creation includes its work now. */
const FORMER = 'registration-profile-action';

/** The form actions of the realm's registration. */
export interface RegistrationSteps {
  /** The form actions of this host that are on, in their order. */
  readonly actions: readonly (Execution & { readonly authenticator: string })[];
  /**
   * Steps that the flow requires and this host does not have, or required ones that it lacks; empty: users can
   * register.
   */
  readonly missing: readonly string[];
}

/** Reads the form of the client's registration flow. @param has whether this host has a form action of the id */
export function registrationSteps(realm: Realm, client: Client, has: (id: string) => boolean): RegistrationSteps {
  return stepsOf(flowOf(realm, client, 'registration'), has);
}

/** The reasons why no user can register in the realm; empty if there are none. */
export function missingSteps(realm: RealmRepresentation, has: (id: string) => boolean): readonly string[] {
  return stepsOf(readFlow(realm, realm.registrationFlow ?? 'registration'), has).missing;
}

function stepsOf(flow: readonly Execution[], has: (id: string) => boolean): RegistrationSteps {
  const page = allExecutions(flow).find(
    ({ authenticator, requirement }) => authenticator === REGISTRATION_PAGE && requirement !== 'DISABLED',
  );
  const steps = (page?.executions ?? [])
    .filter(({ requirement, authenticator }) => requirement !== 'DISABLED' && authenticator !== FORMER)
    .map(({ authenticator = 'a flow within the form', ...execution }) => ({ ...execution, authenticator }));
  const unknown = steps.map(({ authenticator }) => authenticator).filter((id) => !has(id));
  const creates = steps.some(({ authenticator }) => authenticator === USER_CREATION);
  return {
    actions: steps.filter(({ authenticator }) => has(authenticator)),
    missing: creates ? unknown : [...unknown, USER_CREATION],
  };
}
